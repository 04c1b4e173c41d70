package dev.heatline.formats;

import dev.heatline.model.ColumnBuilder;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Resource;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * One profile of a speedscope file. Its properties come in any order, so values wait until the unit
 * is known.
 */
final class SpeedscopeProfile {
    private static final double LONG_RANGE = 0x1p63;

    private final ProfileBuilder builder;
    private final Longs frames;
    private String unit = "none";

    /** The innermost node of each sample. */
    private final Longs samples = new Longs();

    /** Bits of each weight as a double, or the weight itself if it is a whole number. */
    private final Numbers weights = new Numbers();

    /** Frame * 2, plus 1 where it opens, of each event. */
    private final Longs events = new Longs();

    private final Numbers times = new Numbers();
    private int[] nodes = new int[64];
    private int[] opened = new int[64];
    private int depth;

    SpeedscopeProfile(ProfileBuilder builder, Longs frames) {
        this.builder = builder;
        this.frames = frames;
    }

    void unit(String name) {
        unit = name;
    }

    void samples(JsonParser json, SpeedscopeReader reader) {
        reader.array(json, "samples");
        while (json.nextToken() != JsonToken.END_ARRAY) {
            reader.array(json, "a sample");
            int node = Profile.ROOT;
            while (json.nextToken() != JsonToken.END_ARRAY) {
                node = child(node, frame(json, reader));
            }
            samples.add(node);
        }
    }

    void weights(JsonParser json, SpeedscopeReader reader) {
        reader.array(json, "weights");
        while (json.nextToken() != JsonToken.END_ARRAY) {
            weights.add(json, reader);
        }
    }

    void events(JsonParser json, SpeedscopeReader reader) {
        reader.array(json, "events");
        while (json.nextToken() != JsonToken.END_ARRAY) {
            if (json.currentToken() != JsonToken.START_OBJECT) {
                throw reader.wrong(json, "an event is not an object");
            }
            event(json, reader);
        }
    }

    private void event(JsonParser json, SpeedscopeReader reader) {
        int frame = -1;
        boolean opens = false;
        int timesBefore = times.size();
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
            String key = json.currentName();
            json.nextToken();
            switch (key) {
                case "type" -> opens = "O".equals(json.getValueAsString());
                case "frame" -> frame = frame(json, reader);
                case "at" -> times.add(json, reader);
                default -> json.skipChildren();
            }
        }
        if (frame < 0 || times.size() != timesBefore + 1) {
            throw reader.wrong(json, "an event has no frame or no time");
        }
        events.add(frame * 2L + (opens ? 1 : 0));
    }

    /**
     * Adds the values, now that everything is known.
     *
     * @param known the resource, if the file says so
     */
    void finish(int thread, @Nullable Resource known, SpeedscopeReader reader) {
        boolean evented = events.size() > 0;
        ForeignResources.Scaled scaled = scaled(evented);
        ColumnBuilder column = builder.column(known == null ? scaled.resource() : known);
        long factor = known == null ? scaled.factor() : 1;
        if (samples.size() != weights.size()) {
            throw reader.wrong(
                    "a profile has "
                            + samples.size()
                            + " samples, but "
                            + weights.size()
                            + " weights");
        }
        for (int i = 0; i < samples.size(); i++) {
            column.add((int) samples.get(i), thread, weights.scaled(i, factor, reader));
        }
        if (evented) {
            replay(thread, column, factor, reader);
        }
    }

    private ForeignResources.Scaled scaled(boolean evented) {
        String name =
                switch (unit) {
                    case "none" -> evented ? "ticks" : Resource.SAMPLES.name();
                    case "bytes" -> "bytes";
                    default -> "time";
                };
        ForeignResources.Scaled scaled = new ForeignResources().next(name, unit);
        Resource resource = scaled.resource();
        if (evented) {
            resource =
                    new Resource(
                            resource.name(),
                            resource.unit(),
                            resource.kind(),
                            resource.perUnit(),
                            Resource.CALLS.name());
        }
        return new ForeignResources.Scaled(resource, scaled.factor());
    }

    /** Charges the time between two events to the innermost open frame. */
    private void replay(int thread, ColumnBuilder column, long factor, SpeedscopeReader reader) {
        ColumnBuilder calls = builder.column(Resource.CALLS);
        long last = times.scaled(0, factor, reader);
        for (int i = 0; i < events.size(); i++) {
            long now = times.scaled(i, factor, reader);
            if (now < last) {
                throw reader.wrong("an event is earlier than the one before");
            }
            long passed = now - last;
            if (passed < 0) {
                throw reader.wrong("the time from " + last + " to " + now + " is too long");
            }
            column.add(top(), thread, passed);
            last = now;
            int frame = (int) (events.get(i) >> 1);
            if ((events.get(i) & 1) == 1) {
                push(frame);
                calls.add(top(), thread, 1);
            } else {
                close(frame, reader);
            }
        }
    }

    private int top() {
        return depth == 0 ? Profile.ROOT : nodes[depth - 1];
    }

    private void push(int frame) {
        if (depth == nodes.length) {
            nodes = Arrays.copyOf(nodes, depth * 2);
            opened = Arrays.copyOf(opened, depth * 2);
        }
        nodes[depth] = child(top(), frame);
        opened[depth++] = frame;
    }

    private void close(int frame, SpeedscopeReader reader) {
        if (depth == 0 || opened[depth - 1] != frame) {
            throw reader.wrong("an event closes frame " + frame + ", which is not the innermost");
        }
        depth--;
    }

    private int child(int parent, int frame) {
        long entry = frames.get(frame);
        return builder.child(parent, (int) (entry >> 32), (int) entry);
    }

    private int frame(JsonParser json, SpeedscopeReader reader) {
        int frame = json.getValueAsInt(-1);
        if (frame < 0 || frame >= frames.size()) {
            throw reader.wrong(json, "there is no frame " + json.getString());
        }
        return frame;
    }

    /** Numbers as they stand in the file: whole ones exactly, others as doubles. */
    private static final class Numbers {
        private final Longs bits = new Longs();
        private final Longs isWhole = new Longs();

        int size() {
            return bits.size();
        }

        void add(JsonParser json, SpeedscopeReader reader) {
            if (json.currentToken() == JsonToken.VALUE_NUMBER_INT) {
                bits.add(json.getLongValue());
                isWhole.add(1);
            } else if (json.currentToken() == JsonToken.VALUE_NUMBER_FLOAT) {
                bits.add(Double.doubleToRawLongBits(json.getDoubleValue()));
                isWhole.add(0);
            } else {
                throw reader.wrong(json, "a number is expected");
            }
        }

        long scaled(int index, long factor, SpeedscopeReader reader) {
            if (isWhole.get(index) == 1) {
                long value = bits.get(index);
                long high = Math.multiplyHigh(value, factor);
                long product = value * factor;
                if (high != product >> 63) {
                    throw reader.wrong("the value " + value + " is too large");
                }
                return product;
            }
            double product = Double.longBitsToDouble(bits.get(index)) * factor;
            if (!(Math.abs(product) < LONG_RANGE)) {
                throw reader.wrong("the value " + product + " is too large");
            }
            return Math.round(product);
        }
    }
}
