package dev.heatline.formats;

/** Durations as people write them in options and in provenance: {@code 10ms}. */
final class Intervals {
    private static final String[] UNITS = {"ns", "us", "ms", "s"};

    private Intervals() {}

    /** In the largest unit that keeps it a whole number. */
    static String write(long nanos) {
        long amount = nanos;
        int unit = 0;
        while (unit < UNITS.length - 1 && amount != 0 && amount % 1000 == 0) {
            amount /= 1000;
            unit++;
        }
        return amount + UNITS[unit];
    }

    /** In nanoseconds, or 0 if it is not written so. */
    static long read(String text) {
        long factor = 1;
        for (String unit : UNITS) {
            String digits = text.substring(0, Math.max(0, text.length() - unit.length()));
            if (text.endsWith(unit) && digits.matches("\\d{1,9}")) {
                return Long.parseLong(digits) * factor;
            }
            factor *= 1000;
        }
        return 0;
    }
}
