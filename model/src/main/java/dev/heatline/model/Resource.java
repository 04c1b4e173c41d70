package dev.heatline.model;

import java.util.Comparator;

/**
 * Something that is used up or counted, one column of a {@link Profile}.
 *
 * @param name what reports and {@code --resource} call it
 * @param unit the unit people read: {@code s}, {@code bytes}; for counts the name of what is
 *     counted
 * @param kind how its values are shown
 * @param perUnit how many stored counts make one unit (10^9 for seconds kept as nanoseconds); a
 *     power of ten
 * @param occurrences the name of the count resource that says how often this one was observed: the
 *     "n" of arcflow's triples. A resource that counts occurrences names itself.
 */
public record Resource(String name, String unit, Kind kind, long perUnit, String occurrences)
        implements Comparable<Resource> {

    /** How a value is shown. */
    public enum Kind {
        COUNT,
        TIME,
        BYTES,
        /** Any other quantity, shown in its own unit. */
        AMOUNT
    }

    public static final long NANOS_PER_SECOND = 1_000_000_000L;

    public Resource {
        long rest = perUnit;
        while (rest > 1 && rest % 10 == 0) {
            rest /= 10;
        }
        if (rest != 1) {
            throw new ModelException(
                    "resource "
                            + name
                            + ": "
                            + perUnit
                            + " stored counts per unit is no power of ten");
        }
    }

    public static final Resource SAMPLES = count("samples");
    public static final Resource CPU = seconds("cpu", "samples");
    public static final Resource CALLS = count("calls");

    /** What calls took, that were measured one by one. */
    public static final Resource ELAPSED = seconds("elapsed", CALLS.name);

    /** Calls that were counted and not timed: what they took is in who called them. */
    public static final Resource COUNTED_ONLY =
            new Resource("counted-only", CALLS.name, Kind.COUNT, 1, CALLS.name);

    private static final Comparator<Resource> ORDER =
            Comparator.comparing(Resource::name).thenComparing(Resource::unit);

    /** A resource that counts occurrences. */
    public static Resource count(String name) {
        return new Resource(name, name, Kind.COUNT, 1, name);
    }

    /** A time in seconds, stored in nanoseconds. */
    public static Resource seconds(String name, String occurrences) {
        return new Resource(name, "s", Kind.TIME, NANOS_PER_SECOND, occurrences);
    }

    public static Resource bytes(String name, String occurrences) {
        return new Resource(name, "bytes", Kind.BYTES, 1, occurrences);
    }

    public boolean isOccurrences() {
        return name.equals(occurrences);
    }

    /** Whether values are estimates from samples; calls are counted one by one and are not. */
    public boolean isSampled() {
        return !occurrences.equals(CALLS.name);
    }

    /** Whether it is the time of calls, of which some may be {@link #COUNTED_ONLY}. */
    public boolean isTimeOfCalls() {
        return kind == Kind.TIME && !isSampled();
    }

    /** A stored value in this resource's unit. */
    public double inUnits(long stored) {
        return (double) stored / perUnit;
    }

    public Resource withName(String newName) {
        return new Resource(newName, unit, kind, perUnit, occurrences);
    }

    public Resource withPerUnit(long newPerUnit) {
        return new Resource(name, unit, kind, newPerUnit, occurrences);
    }

    @Override
    public int compareTo(Resource other) {
        return ORDER.compare(this, other);
    }
}
