package dev.heatline.formats.jfr;

import dev.heatline.model.Resource;
import org.jspecify.annotations.Nullable;

/**
 * What the numbers in a field mean, as its annotations say.
 *
 * @param kind how the resource made from it is shown
 * @param name the unit people read
 * @param factor recorded numbers times this, divided by {@code divisor}, are stored ones
 * @param ticks whether recorded numbers are ticks of the chunk's clock
 * @param perUnit stored numbers that make one unit
 */
record Unit(
        Resource.Kind kind, String name, long factor, long divisor, boolean ticks, long perUnit) {

    /** Numbers that are stored as they are. */
    static final Unit PLAIN = new Unit(Resource.Kind.COUNT, "", 1, 1, false, 1);

    static Unit of(Metadata metadata, Metadata.Field field) {
        String span = metadata.annotation(field, "jdk.jfr.Timespan");
        if (span != null) {
            return switch (span) {
                case "TICKS" -> time(1, true);
                case "MICROSECONDS" -> time(1_000, false);
                case "MILLISECONDS" -> time(1_000_000, false);
                case "SECONDS" -> time(1_000_000_000, false);
                default -> time(1, false);
            };
        }
        String amount = metadata.annotation(field, "jdk.jfr.DataAmount");
        if (amount != null) {
            return new Unit(
                    Resource.Kind.BYTES, "bytes", 1, amount.equals("BITS") ? 8 : 1, false, 1);
        }
        String type = metadata.type(field.type()).name();
        boolean fractional = type.equals("float") || type.equals("double");
        return new Unit(
                Resource.Kind.AMOUNT, field.name(), 1, 1, false, fractional ? Plan.FRACTION : 1);
    }

    private static Unit time(long factor, boolean ticks) {
        return new Unit(Resource.Kind.TIME, "s", factor, 1, ticks, Resource.NANOS_PER_SECOND);
    }

    /** Whether amounts of this field can be summed at all. */
    static boolean isSummable(Metadata metadata, Metadata.@Nullable Field field) {
        if (field == null || field.array() || field.pooled()) {
            return false;
        }
        return switch (metadata.type(field.type()).name()) {
            case "boolean", "byte", "short", "char", "int", "long", "float", "double" -> true;
            default -> false;
        };
    }

    Resource resource(String resourceName, String occurrences) {
        return new Resource(resourceName, name, kind, perUnit, occurrences);
    }

    /** A sum of recorded numbers as it is stored. */
    long stored(long sum, Chunk chunk) {
        if (ticks) {
            return chunk.nanos(sum);
        }
        return multiply(sum, factor) / divisor;
    }

    /** The product of two numbers that are not negative. */
    static long multiply(long a, long b) {
        if (Math.multiplyHigh(a, b) != 0 || a * b < 0) {
            throw new Damage("has values that add up to more than 2^63-1");
        }
        return a * b;
    }
}
