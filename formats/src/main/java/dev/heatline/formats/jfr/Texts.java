package dev.heatline.formats.jfr;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decodes the strings of a chunk, wherever and however they are written. */
final class Texts {
    private final Metadata metadata;
    private final ConstantPools pools;
    private final Cursor in;
    private final LongIntMap strings;
    private final long[] position = new long[1];
    private final LongIntMap pooledOf = new LongIntMap();
    private final List<PooledText> pooled = new ArrayList<>();

    /** Constants that wrap a string, such as symbols. */
    private record PooledText(LongIntMap offsets, Plan plan) {}

    Texts(Metadata metadata, ConstantPools pools) {
        this.metadata = metadata;
        this.pools = pools;
        this.in = pools.cursor();
        this.strings = pools.offsets(Metadata.STRING);
    }

    /**
     * The text of a field, empty if there is none.
     *
     * @param slot what a {@link Plan} read for it: a position in the kept bytes, or a constant's id
     */
    String of(Metadata.@Nullable Field field, long slot) {
        if (field == null) {
            return "";
        }
        if (!field.pooled()) {
            return slot == 0 ? "" : at((int) slot);
        }
        int index = pooledOf.get(field.type());
        if (index == LongIntMap.ABSENT) {
            index = pooled.size();
            pooled.add(pooledText(field.type()));
            pooledOf.putIfAbsent(field.type(), index);
        }
        PooledText text = pooled.get(index);
        int offset = text.offsets.get(slot);
        if (offset == LongIntMap.ABSENT) {
            return "";
        }
        in.at = offset;
        position[0] = 0;
        text.plan.run(in, position);
        return position[0] == 0 ? "" : at((int) position[0]);
    }

    private PooledText pooledText(long typeId) {
        Metadata.Type type = metadata.type(typeId);
        String first = type.fields().isEmpty() ? "" : type.fields().getFirst().name();
        return new PooledText(pools.offsets(type.name()), metadata.plan(type, first));
    }

    /** The string written at a position of the kept bytes. */
    private String at(int position) {
        in.at = position;
        byte encoding = in.readByte();
        if (encoding == Text.POOLED) {
            int offset = strings.get(in.readLong());
            if (offset == LongIntMap.ABSENT) {
                return "";
            }
            in.at = offset;
            encoding = in.readByte();
        }
        return switch (encoding) {
            case Text.NULL, Text.EMPTY -> "";
            case Text.UTF_8, Text.CHARS, Text.LATIN_1 -> in.readText(encoding);
            default -> throw new Damage("has a string of unusable encoding " + encoding);
        };
    }
}
