package dev.heatline.collector.proc;

import java.util.Optional;

/**
 * What the file {@code schedstat} of a thread says. It is brought up to date when the thread leaves
 * its CPU, and at every clock tick meanwhile: some milliseconds late at most.
 *
 * @param cpuNanos time on a CPU since its start; the same clock as in {@link Stat}, but finer
 * @param runQueueNanos time in which it could have run and had to wait for a CPU of this machine
 */
public record Schedule(long cpuNanos, long runQueueNanos) {

    private static final int FIELDS = 3;

    /** Empty if it is damaged, or of a kernel that has the file but does not count. */
    static Optional<Schedule> parse(String text) {
        String[] fields = text.strip().split(" ", -1);
        if (fields.length != FIELDS) {
            return Optional.empty();
        }
        try {
            long cpu = Long.parseLong(fields[0]);
            long waited = Long.parseLong(fields[1]);
            boolean counts = cpu != 0 || waited != 0 || Long.parseLong(fields[2]) != 0;
            return counts ? Optional.of(new Schedule(cpu, waited)) : Optional.empty();
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}
