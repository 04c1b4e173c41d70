package dev.heatline.collector;

import dev.heatline.collector.proc.Proc;
import dev.heatline.collector.proc.StealCounting;
import dev.heatline.collector.proc.Throttling;
import dev.heatline.collector.threads.Look;
import dev.heatline.collector.threads.StealAccounting;
import dev.heatline.collector.threads.ThreadReader;
import dev.heatline.collector.threads.ThreadUse;
import dev.heatline.wire.ProcessKey;
import java.util.Optional;

/** What a JVM used of its machine's CPUs and could not use, from one interval to the next. */
final class StealMeter {
    private static final StealCounting COUNTING = Proc.HERE.stealCounting();

    private final ThreadReader reader;
    private final Throttling throttling;
    private StealAccounting accounting = new StealAccounting(COUNTING);
    private Optional<Look> last = Optional.empty();

    /**
     * What happened in an interval; nothing but zeros if nothing is known.
     *
     * @param threads all threads of the JVM together
     * @param throttledNanos how long its CPU limit held it up
     */
    record Taken(ThreadUse threads, long throttledNanos) {
        static final Taken UNKNOWN = new Taken(new ThreadUse(0, "", 0, 0, 0), 0);

        Taken plus(Taken other) {
            return new Taken(threads.plus(other.threads), throttledNanos + other.throttledNanos);
        }
    }

    StealMeter(ProcessKey process) {
        this.reader = new ThreadReader(Proc.HERE, process);
        this.throttling = Throttling.of(Proc.HERE, process.pid());
    }

    /** Stolen time changes from second to second, so this has to be called about as often. */
    void look() {
        Optional<Look> look = reader.look();
        look.ifPresent(accounting::add);
        last = look.or(() -> last);
    }

    /** Ends an interval and begins the next. */
    Taken sinceLast() {
        look();
        Taken taken = new Taken(accounting.process(), throttling.sinceLast().nanos());
        // Anew, because the threads that have ended are never forgotten.
        accounting = new StealAccounting(COUNTING);
        last.ifPresent(accounting::add);
        return taken;
    }
}
