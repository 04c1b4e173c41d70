package dev.heatline.formats.jfr;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Durations as settings write them: {@code 20 ms}, or plain nanoseconds. */
final class Durations {

    /** Longest first, as {@link #text} tries them in turn. */
    private static final String[] UNITS = {"d", "h", "m", "s", "ms", "us"};

    private static final Map<String, Long> NANOS =
            Map.of(
                    "", 1L,
                    "ns", 1L,
                    "us", 1_000L,
                    "ms", 1_000_000L,
                    "s", 1_000_000_000L,
                    "m", 60_000_000_000L,
                    "h", 3_600_000_000_000L,
                    "d", 86_400_000_000_000L);

    /** Nothing is sampled less often than once a day: what is longer is damage. */
    private static final long MAX_NANOS = 86_400_000_000_000L;

    private Durations() {}

    /** In nanoseconds; 0 if it is not a duration, such as {@code everyChunk}. */
    static long nanos(@Nullable String text) {
        if (text == null) {
            return 0;
        }
        int digits = 0;
        while (digits < text.length() && Character.isDigit(text.charAt(digits))) {
            digits++;
        }
        Long unit = NANOS.get(text.substring(digits).strip());
        if (unit == null || digits == 0 || digits > 18) {
            return 0;
        }
        long amount = Long.parseLong(text.substring(0, digits));
        return amount <= MAX_NANOS / unit ? amount * unit : 0;
    }

    /** As people write it: {@code 10ms}. */
    static String text(long nanos) {
        for (String unit : UNITS) {
            long size = NANOS.get(unit);
            if (nanos >= size && nanos % size == 0) {
                return nanos / size + unit;
            }
        }
        return nanos + "ns";
    }
}
