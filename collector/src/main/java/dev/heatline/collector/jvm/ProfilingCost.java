package dev.heatline.collector.jvm;

import java.io.IOException;
import java.nio.file.DirectoryStream;
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

    /** {@code /proc} counts in hundredths of a second on every architecture that Java runs on. */
    private static final long NANOS_PER_TICK = 10_000_000;

    /** User and system time in {@code stat}, counted from the state that follows the name. */
    private static final int USER_TICKS = 11;

    private static final int SYSTEM_TICKS = 12;

    /**
     * JFR Recorder Thread and JFR Periodic Tasks everywhere, JFR Thread Sampler on JDK 17, JFR
     * Sampler Thread and JFR CPU Sampler Thread on 25; the kernel cuts names after 15 characters.
     */
    private static final String RECORDER = "JFR ";

    private static final String WRITTEN = "wchar: ";

    /** A reading; empty if the JVM has ended, is another user's, or this is not Linux. */
    public static Optional<ProfilingCost> of(Jvm jvm) {
        Path process = Path.of("/proc", String.valueOf(jvm.pid()));
        if (!jvm.process().isAlive()) {
            return Optional.empty();
        }
        long nanos = 0;
        OptionalLong bytes = OptionalLong.of(0);
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(process.resolve("task"))) {
            for (Path thread : threads) {
                if (isRecorder(thread)) {
                    nanos += threadNanos(thread);
                    bytes = sum(bytes, written(thread));
                }
            }
            return Optional.of(new ProfilingCost(statNanos(process), nanos, bytes));
        } catch (IOException e) {
            return Optional.empty();
        }
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

    private static boolean isRecorder(Path thread) {
        try {
            return Files.readString(thread.resolve("comm")).startsWith(RECORDER);
        } catch (IOException e) {
            // It ended meanwhile, as the threads of an application do.
            return false;
        }
    }

    /** To the nanosecond where the kernel counts so. */
    private static long threadNanos(Path thread) throws IOException {
        Path schedule = thread.resolve("schedstat");
        return Files.exists(schedule)
                ? Long.parseLong(Files.readString(schedule).split(" ", 2)[0])
                : statNanos(thread);
    }

    private static long statNanos(Path processOrThread) throws IOException {
        String stat = Files.readString(processOrThread.resolve("stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return NANOS_PER_TICK
                * (Long.parseLong(fields[USER_TICKS]) + Long.parseLong(fields[SYSTEM_TICKS]));
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
