package dev.heatline.collector.proc;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Optional;

/**
 * What {@code /proc/PID/stat} of a process says, or that of a thread.
 *
 * @param name at most 15 bytes of what it is called; may hold anything
 * @param state {@code Z} and {@code X} are those of one that has ended
 * @param cpuNanos CPU time since its start in steps of 10 ms; for a process that of all its
 *     threads, also of those that have ended
 * @param startTicks when it started, in hundredths of a second since the machine did
 */
public record Stat(String name, char state, long cpuNanos, long startTicks) {

    /** {@code /proc} counts in hundredths of a second on every architecture that Java runs on. */
    public static final long NANOS_PER_TICK = 10_000_000;

    /** Fields are counted from the state, which follows the name. */
    private static final int USER_TICKS = 11;

    private static final int SYSTEM_TICKS = 12;
    private static final int START_TICKS = 19;

    /**
     * Reads one that was decoded byte by byte, because a program may be called anything, also with
     * parentheses and ends of lines; empty if it is damaged.
     */
    static Optional<Stat> parse(String text) {
        int open = text.indexOf('(');
        int close = text.lastIndexOf(')');
        if (open < 0 || close < open || close + 2 >= text.length()) {
            return Optional.empty();
        }
        String[] fields = text.substring(close + 2).split(" ", -1);
        if (fields.length <= START_TICKS || fields[0].length() != 1) {
            return Optional.empty();
        }
        try {
            long ticks = Long.parseLong(fields[USER_TICKS]) + Long.parseLong(fields[SYSTEM_TICKS]);
            return Optional.of(
                    new Stat(
                            new String(text.substring(open + 1, close).getBytes(ISO_8859_1), UTF_8),
                            fields[0].charAt(0),
                            ticks * NANOS_PER_TICK,
                            Long.parseLong(fields[START_TICKS].strip())));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** Whether only its exit code is left. */
    public boolean hasEnded() {
        return state == 'Z' || state == 'X';
    }
}
