package dev.heatline.collector.threads;

import dev.heatline.collector.proc.Stat;
import dev.heatline.collector.proc.StealCounting;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Divides the time that a hypervisor stole from all CPUs of a machine among the threads that used
 * them, in proportion to the CPU time of each (001 §5.2): who had a CPU longest is most likely to
 * have been stopped. What other processes bear is kept too, so that nothing of it is lost and
 * nothing is told twice.
 *
 * <p>All CPU times that come out have stolen time in them, as a thread sees it. Where the kernel
 * has left it out, it is added; see {@link StealCounting}.
 */
public final class StealAccounting {
    /** The row for what threads used that no look saw, or after the last one. */
    public static final String ENDED = "ended threads";

    /**
     * The process counts in steps of 10 ms of user and of system time, its threads more finely, and
     * they are not read in the same moment. What is less is no sign of a thread that ended.
     */
    private static final long SLACK_NANOS = 3 * Stat.NANOS_PER_TICK;

    private final boolean included;
    private final Map<Look.Key, ThreadUse> threads = new LinkedHashMap<>();
    private ThreadUse ended = new ThreadUse(0, ENDED, 0, 0, 0);
    private ThreadUse others = new ThreadUse(0, "other processes", 0, 0, 0);
    private @Nullable Look last;

    /** CPU time of the process that no thread has accounted for; below 0 if they are ahead. */
    private long unseenNanos;

    public StealAccounting(StealCounting counting) {
        this.included = counting == StealCounting.INCLUDED;
    }

    /** Adds what happened since the look before; the first only begins. */
    public void add(Look look) {
        Look before = last;
        last = look;
        for (Look.Times thread : look.threads()) {
            threads.putIfAbsent(
                    thread.key(), new ThreadUse(thread.key().tid(), thread.name(), 0, 0, 0));
        }
        if (before != null) {
            add(before, look);
        }
    }

    private void add(Look before, Look look) {
        List<ThreadUse> used = used(before, look);
        long cpu = used.stream().mapToLong(ThreadUse::cpuNanos).sum();
        unseenNanos += difference(before.processNanos(), look.processNanos()) - cpu;
        long unseen = unseenNanos > SLACK_NANOS ? unseenNanos : 0;
        unseenNanos -= unseen;
        long steal = difference(before.system().stealNanos(), look.system().stealNanos());
        long busy = difference(before.system().busyNanos(), look.system().busyNanos());
        // The machine counts in steps, too, and may seem to have done less than its threads.
        long all = Math.max(included ? busy + steal : busy, cpu + unseen);
        Shares shares = new Shares(steal, all);
        for (int i = 0; i < used.size(); i++) {
            threads.merge(look.threads().get(i).key(), shares.next(used.get(i)), ThreadUse::plus);
        }
        ended = ended.plus(shares.next(new ThreadUse(0, "", unseen, 0, 0)));
        others = others.plus(shares.rest());
    }

    /** What each living thread used, as the kernel counts it. */
    private static List<ThreadUse> used(Look before, Look look) {
        Map<Look.Key, Look.Times> earlier = new HashMap<>();
        before.threads().forEach(thread -> earlier.put(thread.key(), thread));
        List<ThreadUse> used = new ArrayList<>();
        for (Look.Times now : look.threads()) {
            Look.Times then = earlier.get(now.key());
            long tid = now.key().tid();
            if (then != null) {
                used.add(
                        new ThreadUse(
                                tid,
                                now.name(),
                                difference(then.cpuNanos(), now.cpuNanos()),
                                0,
                                difference(then.runQueueNanos(), now.runQueueNanos())));
            } else if (now.key().startTicks() >= before.ticks()) {
                used.add(new ThreadUse(tid, now.name(), now.cpuNanos(), 0, now.runQueueNanos()));
            } else {
                // It could not be read before: nobody knows what of this is new.
                used.add(new ThreadUse(tid, now.name(), 0, 0, 0));
            }
        }
        return used;
    }

    /** Counters of some kernels and hypervisors went back at times. */
    private static long difference(long before, long now) {
        return Math.max(0, now - before);
    }

    /** All threads seen, those with the most CPU time first, and {@link #ENDED} if there are. */
    public List<ThreadUse> threads() {
        List<ThreadUse> all = new ArrayList<>(threads.values());
        if (ended.cpuNanos() > 0) {
            all.add(ended);
        }
        all.sort(
                Comparator.comparingLong(ThreadUse::cpuNanos)
                        .thenComparingLong(ThreadUse::runQueueNanos)
                        .reversed()
                        .thenComparingLong(ThreadUse::tid));
        return all;
    }

    /** All threads of the process together. */
    public ThreadUse process() {
        return threads.values().stream().reduce(ended, ThreadUse::plus).named("all threads");
    }

    /** The rest of the machine, its interrupts included. */
    public ThreadUse others() {
        return others;
    }

    /** Cuts stolen time from one end to the other, so that no rounding loses any of it. */
    private final class Shares {
        private final long steal;
        private final long all;
        private long reached;
        private long given;

        Shares(long steal, long all) {
            this.steal = steal;
            this.all = all;
        }

        /** What a thread used, with its share. */
        ThreadUse next(ThreadUse used) {
            reached += used.cpuNanos();
            long until = all == 0 ? 0 : (long) ((double) steal * reached / all);
            return with(used, until - given);
        }

        /** What nobody has taken. */
        ThreadUse rest() {
            return with(new ThreadUse(0, "", all - reached, 0, 0), steal - given);
        }

        private ThreadUse with(ThreadUse used, long share) {
            given += share;
            return new ThreadUse(
                    used.tid(),
                    used.name(),
                    included ? used.cpuNanos() : used.cpuNanos() + share,
                    share,
                    used.runQueueNanos());
        }
    }
}
