package dev.heatline.collector.threads;

import dev.heatline.collector.proc.SystemTimes;
import java.util.List;

/**
 * What a machine and the threads of one process had used at one moment.
 *
 * @param ticks the moment, in hundredths of a second since the start of the machine
 * @param system what all CPUs did
 * @param processNanos CPU time of the process, also that of threads that have ended
 * @param threads those that live
 */
public record Look(long ticks, SystemTimes system, long processNanos, List<Times> threads) {

    public Look {
        threads = List.copyOf(threads);
    }

    /**
     * A thread. A number alone is used again after a while; with the time of its start it is not.
     *
     * @param tid its number
     * @param startTicks when it started, as {@link Look#ticks}
     */
    public record Key(long tid, long startTicks) {}

    /**
     * What a thread had used.
     *
     * @param name as the kernel knows it
     * @param cpuNanos as the kernel counts it, with or without what was stolen
     * @param runQueueNanos time in which it waited for a CPU of this machine; 0 if unknown
     */
    public record Times(Key key, String name, long cpuNanos, long runQueueNanos) {}
}
