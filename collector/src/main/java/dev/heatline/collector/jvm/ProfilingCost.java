package dev.heatline.collector.jvm;

import dev.heatline.collector.proc.Proc;
import dev.heatline.collector.proc.Schedule;
import dev.heatline.collector.proc.Stat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a JVM has used since its start, and how much of that its flight recorder did. Two readings
 * subtracted tell the cost of the time between them.
 *
 * <p>The recorder's share is that of its own threads. What a sample costs the sampled thread itself
 * is not in there: it cannot be told from the thread's own work.
 *
 * @param cpuNanos CPU time of the whole process, in steps of 10 ms
 * @param recorderNanos CPU time of the recorder's threads
 * @param recorderBytes what the recorder's threads wrote; empty where the kernel does not tell
 */
public record ProfilingCost(long cpuNanos, long recorderNanos, OptionalLong recorderBytes) {

    /**
     * JFR Recorder Thread and JFR Periodic Tasks everywhere, JFR Thread Sampler on JDK 17, JFR
     * Sampler Thread and JFR CPU Sampler Thread on 25; the kernel cuts names after 15 characters.
     */
    private static final String RECORDER = "JFR ";

    private static final String WRITTEN = "wchar: ";

    /** A reading; empty if the JVM has ended, is another user's, or this is not Linux. */
    public static Optional<ProfilingCost> of(Jvm jvm) {
        if (!jvm.process().isAlive()) {
            return Optional.empty();
        }
        long nanos = 0;
        OptionalLong bytes = OptionalLong.of(0);
        for (long tid : Proc.HERE.threads(jvm.pid())) {
            Optional<Stat> thread = Proc.HERE.thread(jvm.pid(), tid);
            // Others may end meanwhile, as the threads of an application do.
            if (thread.isPresent() && thread.get().name().startsWith(RECORDER)) {
                nanos +=
                        Proc.HERE
                                .schedule(jvm.pid(), tid)
                                .map(Schedule::cpuNanos)
                                .orElse(thread.get().cpuNanos());
                bytes = sum(bytes, written(Path.of("/proc/" + jvm.pid() + "/task/" + tid)));
            }
        }
        long recorderNanos = nanos;
        OptionalLong recorderBytes = bytes;
        return Proc.HERE
                .process(jvm.pid())
                .map(stat -> new ProfilingCost(stat.cpuNanos(), recorderNanos, recorderBytes));
    }

    /** What was used since an earlier reading. */
    public ProfilingCost since(ProfilingCost earlier) {
        return new ProfilingCost(
                cpuNanos - earlier.cpuNanos,
                recorderNanos - earlier.recorderNanos,
                earlier.recorderBytes.isPresent()
                        ? sum(recorderBytes, OptionalLong.of(-earlier.recorderBytes.getAsLong()))
                        : OptionalLong.empty());
    }

    private static OptionalLong sum(OptionalLong a, OptionalLong b) {
        return a.isPresent() && b.isPresent()
                ? OptionalLong.of(a.getAsLong() + b.getAsLong())
                : OptionalLong.empty();
    }

    /** Hidden more often than times are: by some kernels, and from processes without privileges. */
    private static OptionalLong written(Path thread) {
        try {
            for (String line : Files.readAllLines(thread.resolve("io"))) {
                if (line.startsWith(WRITTEN)) {
                    return OptionalLong.of(Long.parseLong(line.substring(WRITTEN.length())));
                }
            }
        } catch (IOException e) {
            return OptionalLong.empty();
        }
        return OptionalLong.empty();
    }
}
