package dev.heatline.collector.threads;

import dev.heatline.collector.proc.Proc;
import dev.heatline.collector.proc.StealCounting;
import dev.heatline.collector.proc.Throttling;
import dev.heatline.wire.ProcessKey;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The threads of one process, from the first look at them to the last. */
public final class ThreadWatch {
    private final ThreadReader reader;
    private final StealCounting counting;
    private final StealAccounting accounting;
    private final Throttling throttling;
    private final long startNanos;
    private long lastNanos;
    private int looks;

    /**
     * What was seen.
     *
     * @param nanos from the first look to the last
     * @param looks how many there were
     * @param counting whether the kernel's own CPU times have stolen time in them
     * @param threads all that were seen, those with the most CPU time first
     * @param process all of them together
     * @param others the rest of the machine
     * @param throttled how long the process was held up by its CPU limit; part of no other number
     */
    public record Seen(
            long nanos,
            int looks,
            StealCounting counting,
            List<ThreadUse> threads,
            ThreadUse process,
            ThreadUse others,
            Throttling.Amount throttled) {

        /** With these names instead of the kernel's, by the numbers of the threads. */
        public Seen named(Map<Long, String> names) {
            return new Seen(
                    nanos,
                    looks,
                    counting,
                    threads.stream()
                            .map(it -> it.named(names.getOrDefault(it.tid(), it.name())))
                            .toList(),
                    process,
                    others,
                    throttled);
        }

        /** What the hypervisor stole of the CPU time of this process, from 0 to 1. */
        public double stealShare() {
            return share(process.stealNanos(), process.cpuNanos());
        }

        /** What it stole of the CPU time of the whole machine, from 0 to 1. */
        public double systemStealShare() {
            return share(
                    process.stealNanos() + others.stealNanos(),
                    process.cpuNanos() + others.cpuNanos());
        }

        private static double share(long part, long whole) {
            return whole == 0 ? 0 : (double) part / whole;
        }
    }

    private ThreadWatch(Proc proc, ProcessKey process, Look first, ThreadReader reader) {
        this.reader = reader;
        this.counting = proc.stealCounting();
        this.accounting = new StealAccounting(counting);
        this.throttling = Throttling.of(proc, process.pid());
        this.startNanos = System.nanoTime();
        add(first);
    }

    /** Takes the first look; empty if the process has ended, is hidden, or this is not Linux. */
    public static Optional<ThreadWatch> begin(Proc proc, ProcessKey process) {
        ThreadReader reader = new ThreadReader(proc, process);
        return reader.look().map(first -> new ThreadWatch(proc, process, first, reader));
    }

    /** Looks again; whether the process still runs. */
    public boolean look() {
        Optional<Look> look = reader.look();
        look.ifPresent(this::add);
        return look.isPresent();
    }

    private void add(Look look) {
        accounting.add(look);
        lastNanos = System.nanoTime();
        looks++;
    }

    /** What was seen up to the last look. */
    public Seen seen() {
        return new Seen(
                lastNanos - startNanos,
                looks,
                counting,
                accounting.threads(),
                accounting.process(),
                accounting.others(),
                throttling.sinceLast());
    }
}
