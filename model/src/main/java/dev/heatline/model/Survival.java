package dev.heatline.model;

import java.util.OptionalInt;

/**
 * How a Profile tells which objects are still alive: below their class, a consumer for each number
 * of garbage collections that some of them have survived. Of the objects that are made, a sample is
 * tracked; all but {@link #TRACKED} are estimates from that.
 */
public final class Survival {
    /** Objects that were there after the last collection, of those that were there before it. */
    public static final Resource LIVE = Resource.count("live");

    /** Their bytes. */
    public static final Resource LIVE_BYTES = Resource.bytes("live-bytes", LIVE.name());

    /** Objects that were made after the last collection: nobody knows what becomes of them. */
    public static final Resource UNDECIDED = Resource.count("undecided");

    /** Objects that were looked at. */
    public static final Resource TRACKED = Resource.count("tracked");

    private static final String SURVIVED = "survived ";

    private Survival() {}

    /** Those that have survived so many collections. */
    public static Consumer of(int collections) {
        return Consumer.label(SURVIVED + collections);
    }

    /** How many collections the objects of a consumer have survived; empty for any other one. */
    public static OptionalInt collections(Consumer consumer) {
        String name = consumer.name();
        if (consumer.type() != ConsumerType.LABEL || !name.startsWith(SURVIVED)) {
            return OptionalInt.empty();
        }
        try {
            return OptionalInt.of(Integer.parseInt(name.substring(SURVIVED.length())));
        } catch (NumberFormatException e) {
            // A label of somebody else's.
            return OptionalInt.empty();
        }
    }
}
