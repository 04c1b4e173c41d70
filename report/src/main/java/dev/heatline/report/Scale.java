package dev.heatline.report;

import dev.heatline.model.Resource;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;

/**
 * The unit all values of a resource are written in within one report, so that a column of numbers
 * can be compared by eye. Chosen by the largest value; decimals are as many as make a
 * ten-thousandth of it visible, but never more than three and never more than were measured.
 *
 * @param unit what people read: {@code ms}, {@code MB}
 * @param exponent ten to this power stored counts make one such unit
 * @param decimals how many digits follow the point
 */
record Scale(String unit, int exponent, int decimals) {

    private static final int MOST_DECIMALS = 3;
    private static final int SIGNIFICANT_DIGITS = 5;

    /** A unit that is ten to a power times the unit of the resource. */
    private record Unit(String name, int power) {}

    private static final List<Unit> TIMES =
            List.of(new Unit("s", 0), new Unit("ms", -3), new Unit("µs", -6), new Unit("ns", -9));
    private static final List<Unit> BYTES =
            List.of(
                    new Unit("TB", 12),
                    new Unit("GB", 9),
                    new Unit("MB", 6),
                    new Unit("kB", 3),
                    new Unit("bytes", 0));

    /**
     * @param largest the largest value to be written, in stored units
     */
    static Scale of(Resource resource, long largest) {
        int stored = exponentOf(resource);
        List<Unit> units =
                switch (resource.kind()) {
                    case TIME -> resource.unit().equals("s") ? TIMES : own(resource);
                    case BYTES -> resource.unit().equals("bytes") ? BYTES : own(resource);
                    case COUNT, AMOUNT -> own(resource);
                };
        if (largest == 0) {
            Unit plain = units.stream().filter(u -> u.power == 0).findFirst().orElseThrow();
            return new Scale(plain.name, stored, 0);
        }
        int digits = Long.toString(largest).length();
        Unit unit =
                units.stream()
                        .filter(u -> digits > stored + u.power)
                        .findFirst()
                        .orElse(units.getLast());
        int exponent = stored + unit.power;
        int integerDigits = Math.max(1, digits - exponent);
        int wanted = Math.clamp(SIGNIFICANT_DIGITS - integerDigits, 0, MOST_DECIMALS);
        return new Scale(unit.name, exponent, Math.min(wanted, Math.max(0, exponent)));
    }

    private static List<Unit> own(Resource resource) {
        return List.of(new Unit(resource.unit(), 0));
    }

    /** A stored value in this unit, rounded. */
    String format(long stored) {
        return BigDecimal.valueOf(stored, exponent)
                .setScale(decimals, RoundingMode.HALF_UP)
                .toPlainString();
    }

    /** As {@link #format}, with the unit. */
    String formatWithUnit(long stored) {
        return format(stored) + ' ' + unit;
    }

    /** A stored value in the resource's own unit, with nothing lost. */
    static BigDecimal exact(Resource resource, long stored) {
        if (resource.perUnit() == 1) {
            return BigDecimal.valueOf(stored);
        }
        BigDecimal value = BigDecimal.valueOf(stored, exponentOf(resource)).stripTrailingZeros();
        return value.scale() < 1 ? value.setScale(1, RoundingMode.UNNECESSARY) : value;
    }

    private static int exponentOf(Resource resource) {
        return Long.toString(resource.perUnit()).length() - 1;
    }
}
