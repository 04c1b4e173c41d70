package dev.heatline.formats;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Sampling intervals as people and settings write them: {@code 10ms}, {@code 20 ms}, or plain
 * nanoseconds.
 */
public final class Intervals {

    /** Largest first, as {@link #write} tries them in turn. */
    private enum Unit {
        D(86_400_000_000_000L),
        H(3_600_000_000_000L),
        M(60_000_000_000L),
        S(1_000_000_000L),
        MS(1_000_000L),
        US(1_000L),
        NS(1L);

        private final long nanos;

        Unit(long nanos) {
            this.nanos = nanos;
        }

        String symbol() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static final int MAX_DIGITS = 18;

    private Intervals() {}

    /** In the largest unit that keeps it a whole number; {@link #read} gives it back. */
    public static String write(long nanos) {
        for (Unit unit : Unit.values()) {
            if (nanos >= unit.nanos && nanos % unit.nanos == 0) {
                return nanos / unit.nanos + unit.symbol();
            }
        }
        return nanos + Unit.NS.symbol();
    }

    /** In nanoseconds; 0 if it is not written so, such as {@code everyChunk}, or too long. */
    public static long read(@Nullable String text) {
        if (text == null) {
            return 0;
        }
        int digits = 0;
        while (digits < text.length() && text.charAt(digits) >= '0' && text.charAt(digits) <= '9') {
            digits++;
        }
        if (digits == 0 || digits > MAX_DIGITS) {
            return 0;
        }
        long amount = Long.parseLong(text.substring(0, digits));
        String symbol = text.substring(digits).strip();
        for (Unit unit : Unit.values()) {
            if (symbol.equals(unit.symbol()) || (symbol.isEmpty() && unit == Unit.NS)) {
                return amount <= Long.MAX_VALUE / unit.nanos ? amount * unit.nanos : 0;
            }
        }
        return 0;
    }
}
