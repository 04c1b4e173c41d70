package dev.heatline.formats.jfr;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Durations as settings write them: {@code 20 ms}, or plain nanoseconds. */
final class Durations {

    /** Largest first, as {@link #text} tries them in turn. */
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

    /** Nothing is sampled less often than once a day: what is longer is damage. */
    private static final long MAX_NANOS = Unit.D.nanos;

    private Durations() {}

    /** In nanoseconds; 0 if it is not a duration, such as {@code everyChunk}. */
    static long nanos(@Nullable String text) {
        if (text == null) {
            return 0;
        }
        int digits = 0;
        while (digits < text.length() && text.charAt(digits) >= '0' && text.charAt(digits) <= '9') {
            digits++;
        }
        if (digits == 0 || digits > 18) {
            return 0;
        }
        long amount = Long.parseLong(text.substring(0, digits));
        String symbol = text.substring(digits).strip();
        for (Unit unit : Unit.values()) {
            if (symbol.equals(unit.symbol()) || (symbol.isEmpty() && unit == Unit.NS)) {
                return amount <= MAX_NANOS / unit.nanos ? amount * unit.nanos : 0;
            }
        }
        return 0;
    }

    /** As people write it: {@code 10ms}. */
    static String text(long nanos) {
        for (Unit unit : Unit.values()) {
            if (nanos >= unit.nanos && nanos % unit.nanos == 0) {
                return nanos / unit.nanos + unit.symbol();
            }
        }
        return nanos + Unit.NS.symbol();
    }
}
