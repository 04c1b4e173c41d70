package dev.heatline.collector.threads;

/**
 * What a thread used while it was watched.
 *
 * @param tid its number, 0 for several threads together
 * @param name what it is called, without what a terminal would obey
 * @param cpuNanos how long it had a CPU as far as it could see, with what was stolen meanwhile
 * @param stealNanos how much of that the hypervisor took away
 * @param runQueueNanos how long it waited for a CPU of this machine before it got one; not part of
 *     the others
 */
public record ThreadUse(long tid, String name, long cpuNanos, long stealNanos, long runQueueNanos) {

    /** How long it really had a CPU. */
    public long correctedNanos() {
        return cpuNanos - stealNanos;
    }

    ThreadUse named(String other) {
        return new ThreadUse(tid, other, cpuNanos, stealNanos, runQueueNanos);
    }

    /** By the number that it has elsewhere. */
    public ThreadUse numbered(long other) {
        return new ThreadUse(other, name, cpuNanos, stealNanos, runQueueNanos);
    }

    /** Both together, under the name of the first. */
    public ThreadUse plus(ThreadUse other) {
        return new ThreadUse(
                tid,
                name,
                cpuNanos + other.cpuNanos,
                stealNanos + other.stealNanos,
                runQueueNanos + other.runQueueNanos);
    }
}
