package dev.heatline.collector.locks;

/**
 * One event of a trace; {@link dev.heatline.wire.LockTrace} says what each type means.
 *
 * @param type a type of event there
 * @param nanos since tracing began
 * @param thread the Java thread it happened in
 * @param lock the lock, or the blocker of a park; of a signal, the lock to be had back; 0 if none
 * @param order its place among the events of the lock, or among all park events
 * @param other the thread that is woken or signalled, the order of the unpark that woke, or how
 *     long an owner that leaves had the lock; 0 if that is not known; of a park, whether it is
 *     timed (1); of a wait that is over, whether it timed out (1)
 * @param chain the call chain; 0 if none was taken
 */
record LockEvent(
        int type, long nanos, long thread, long lock, long order, long other, long chain) {}
