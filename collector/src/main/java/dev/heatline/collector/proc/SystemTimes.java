package dev.heatline.collector.proc;

import java.util.Optional;

/**
 * What all CPUs of this machine did since its start, in steps of 10 ms.
 *
 * @param busyNanos CPU time of programs, kernel and interrupts, without what was stolen
 * @param stealNanos time in which a CPU had work and the hypervisor did not let it run
 */
public record SystemTimes(long busyNanos, long stealNanos) {

    private static final int USER = 0;
    private static final int NICE = 1;
    private static final int SYSTEM = 2;
    private static final int INTERRUPTS = 5;
    private static final int SOFT_INTERRUPTS = 6;
    private static final int STEAL = 7;

    /**
     * Reads {@code /proc/stat}; empty if it is damaged. Time as a host of guests is part of user
     * and nice and is not added again.
     */
    static Optional<SystemTimes> parse(String text) {
        String first = text.lines().findFirst().orElse("");
        if (!first.startsWith("cpu ")) {
            return Optional.empty();
        }
        String[] fields = first.substring(4).strip().split(" ", -1);
        try {
            long busy = 0;
            for (int field : new int[] {USER, NICE, SYSTEM, INTERRUPTS, SOFT_INTERRUPTS}) {
                busy += Long.parseLong(fields[field]);
            }
            return Optional.of(
                    new SystemTimes(
                            busy * Stat.NANOS_PER_TICK,
                            Long.parseLong(fields[STEAL]) * Stat.NANOS_PER_TICK));
        } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
            return Optional.empty();
        }
    }
}
