package dev.heatline.collector;

import dev.heatline.collector.proc.Proc;
import dev.heatline.collector.proc.StealCounting;
import dev.heatline.collector.proc.Throttling;
import dev.heatline.collector.threads.Look;
import dev.heatline.collector.threads.StealAccounting;
import dev.heatline.collector.threads.ThreadReader;
import dev.heatline.collector.threads.ThreadUse;
import dev.heatline.wire.ProcessKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a JVM used of its machine's CPUs and could not use, from one interval to the next. */
final class StealMeter {
    private static final StealCounting COUNTING = Proc.HERE.stealCounting();

    /**
     * What looking may cost: a look takes 10 microseconds for each thread, so up to a few dozen are
     * looked at every second, and five hundred twice a minute.
     */
    private static final long MIN_PAUSES = 5_000;

    /** More threads than that are told as one, those that used the least. */
    private static final int MAX_THREADS = 1_000;

    private final ProcessKey process;
    private final ThreadReader reader;
    private final Throttling throttling;
    private StealAccounting accounting = new StealAccounting(COUNTING);
    private Optional<Look> last = Optional.empty();
    private long lastNanos;
    private long costNanos;

    /**
     * What happened in an interval; nothing but zeros if nothing is known.
     *
     * @param all all threads of the JVM together
     * @param threads those that used anything, by the numbers that the JVM knows them by
     * @param throttledNanos how long its CPU limit held it up
     */
    record Taken(ThreadUse all, List<ThreadUse> threads, long throttledNanos) {
        static final Taken UNKNOWN = new Taken(new ThreadUse(0, "", 0, 0, 0), List.of(), 0);

        /** Threads that are in both are there twice. */
        Taken plus(Taken other) {
            List<ThreadUse> both = new ArrayList<>(threads);
            both.addAll(other.threads);
            return new Taken(all.plus(other.all), both, throttledNanos + other.throttledNanos);
        }
    }

    StealMeter(ProcessKey process) {
        this.process = process;
        this.reader = new ThreadReader(Proc.HERE, process);
        this.throttling = Throttling.of(Proc.HERE, process.pid());
    }

    /** To be called every second: how much is stolen changes as fast. */
    void lookIfDue() {
        if (System.nanoTime() - lastNanos >= MIN_PAUSES * costNanos) {
            look();
        }
    }

    private void look() {
        long before = CostMeter.ownNanos();
        Optional<Look> look = reader.look();
        look.ifPresent(accounting::add);
        last = look.or(() -> last);
        lastNanos = System.nanoTime();
        costNanos = CostMeter.ownNanos() - before;
    }

    /** Ends an interval and begins the next. */
    Taken sinceLast() {
        look();
        Taken taken = new Taken(accounting.process(), threads(), throttling.sinceLast().nanos());
        // Anew, because the threads that have ended are never forgotten.
        accounting = new StealAccounting(COUNTING);
        last.ifPresent(accounting::add);
        return taken;
    }

    private List<ThreadUse> threads() {
        boolean sameNumbers = process.there().pid() == process.pid();
        List<ThreadUse> threads = new ArrayList<>();
        ThreadUse rest = new ThreadUse(0, "other threads", 0, 0, 0);
        for (ThreadUse thread : accounting.threads()) {
            if (threads.size() == MAX_THREADS) {
                rest = rest.plus(thread);
            } else if (thread.cpuNanos() > 0) {
                threads.add(
                        sameNumbers || thread.tid() == 0
                                ? thread
                                : thread.numbered(new ProcessKey(thread.tid(), "").there().pid()));
            }
        }
        if (rest.cpuNanos() > 0) {
            threads.add(rest);
        }
        return threads;
    }
}
