package dev.heatline.formats;

import dev.heatline.model.Provenance;
import dev.heatline.model.Resource;
import java.util.HashSet;
import java.util.Set;

/**
 * Turns the value types of other formats, a name and a unit each, into resources. Types must come
 * in the order of the file: by convention a count stands before what it counts the occurrences of.
 */
final class ForeignResources {
    private final Set<String> names = new HashSet<>();
    private String lastCount = "";

    /**
     * @param resource what the values are
     * @param factor what a value of the file is multiplied with to be in stored units
     */
    record Scaled(Resource resource, long factor) {}

    Scaled next(String type, String unit) {
        String wanted = type.isEmpty() ? "samples" : type;
        String name = names.contains(wanted) ? wanted + " " + unit : wanted;
        while (!names.add(name)) {
            name += "'";
        }
        if (unit.equals("count") || unit.equals("none") || unit.isEmpty()) {
            lastCount = name;
            return new Scaled(Resource.count(name), 1);
        }
        String occurrences = lastCount.isEmpty() ? Resource.SAMPLES.name() : lastCount;
        long nanos = nanos(unit);
        if (nanos > 0) {
            return new Scaled(Resource.seconds(name, occurrences), nanos);
        }
        long bytes = bytes(unit);
        if (bytes > 0) {
            return new Scaled(Resource.bytes(name, occurrences), bytes);
        }
        return new Scaled(new Resource(name, unit, Resource.Kind.AMOUNT, 1, occurrences), 1);
    }

    /** The unit that other tools know for the stored values of this resource. */
    static String unitOf(Resource resource) {
        return switch (resource.kind()) {
            case COUNT -> "count";
            case TIME -> resource.perUnit() == Resource.NANOS_PER_SECOND ? "nanoseconds" : "ticks";
            case BYTES -> "bytes";
            case AMOUNT -> resource.unit();
        };
    }

    /** A provenance that covers this range; a start of 0 is an unknown one. */
    static Provenance covering(long fromNanos, long durationNanos) {
        return fromNanos <= 0
                ? Provenance.NONE
                : Provenance.NONE.covering(fromNanos, fromNanos + Math.max(0, durationNanos));
    }

    private static long nanos(String unit) {
        return switch (unit) {
            case "nanoseconds", "nanosecond", "ns" -> 1;
            case "microseconds", "microsecond", "us", "µs" -> 1_000;
            case "milliseconds", "millisecond", "ms" -> 1_000_000;
            case "seconds", "second", "s" -> Resource.NANOS_PER_SECOND;
            default -> 0;
        };
    }

    private static long bytes(String unit) {
        return switch (unit) {
            case "bytes", "byte", "By" -> 1;
            case "kilobytes", "kilobyte", "kb" -> 1 << 10;
            case "megabytes", "megabyte", "mb" -> 1 << 20;
            case "gigabytes", "gigabyte", "gb" -> 1 << 30;
            default -> 0;
        };
    }
}
