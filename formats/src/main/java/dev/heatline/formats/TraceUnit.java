package dev.heatline.formats;

import dev.heatline.model.Resource;
import java.math.BigDecimal;

/**
 * The unit of a trace's readings: which resource it makes, and how a written reading becomes a
 * stored one.
 *
 * @param resource what the readings measure
 * @param decimals how many digits of a written reading are kept: it times 10^decimals is stored
 */
record TraceUnit(Resource resource, int decimals) {

    /** The most decimals a reading may have: with more, few whole digits fit into 64 bits. */
    static final int MAX_DECIMALS = 9;

    /**
     * @param decimalsUsed the most decimals any reading of the file has
     */
    static TraceUnit of(String name, String unit, String occurrences, int decimalsUsed) {
        return switch (unit) {
            case "s" -> new TraceUnit(Resource.seconds(name, occurrences), 9);
            case "ms" -> new TraceUnit(Resource.seconds(name, occurrences), 6);
            case "us", "µs" -> new TraceUnit(Resource.seconds(name, occurrences), 3);
            case "ns" -> new TraceUnit(Resource.seconds(name, occurrences), 0);
            default -> {
                int decimals = Math.min(decimalsUsed, MAX_DECIMALS);
                Resource resource =
                        new Resource(
                                name, unit, kind(name, unit), powerOfTen(decimals), occurrences);
                yield new TraceUnit(resource, decimals);
            }
        };
    }

    /** The unit a column is written in. */
    static TraceUnit of(Resource resource) {
        int decimals = 0;
        while (powerOfTen(decimals) < resource.perUnit() && decimals < MAX_DECIMALS) {
            decimals++;
        }
        if (powerOfTen(decimals) != resource.perUnit()) {
            throw new FormatException(
                    "resource "
                            + resource.name()
                            + " has more than nine decimals, a trace cannot hold it");
        }
        return new TraceUnit(resource, decimals);
    }

    /**
     * @throws ArithmeticException if the reading has too many digits on either side
     */
    long stored(String reading) {
        return new BigDecimal(reading).movePointRight(decimals).longValueExact();
    }

    String written(long stored) {
        return decimals == 0 ? Long.toString(stored) : decimal(stored);
    }

    private String decimal(long stored) {
        String text = BigDecimal.valueOf(stored, decimals).toPlainString();
        if (resource.kind() != Resource.Kind.TIME) {
            return text;
        }
        int end = text.length();
        while (text.charAt(end - 1) == '0') {
            end--;
        }
        return text.substring(0, text.charAt(end - 1) == '.' ? end - 1 : end);
    }

    private static Resource.Kind kind(String name, String unit) {
        if (unit.equals("bytes")) {
            return Resource.Kind.BYTES;
        }
        return unit.equals(name) ? Resource.Kind.COUNT : Resource.Kind.AMOUNT;
    }

    private static long powerOfTen(int exponent) {
        long power = 1;
        for (int i = 0; i < exponent; i++) {
            power *= 10;
        }
        return power;
    }
}
