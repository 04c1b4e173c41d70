package dev.heatline.formats.jfr;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Decodes the strings of a chunk, wherever and however they are written. */
final class Texts {
    private final Metadata metadata;
    private final ConstantPools pools;
    private final Cursor in;
    private final LongIntMap strings;
    private final Map<Long, PooledText> pooled = new HashMap<>();

    /** Constants that wrap a string, such as symbols. */
    private record PooledText(LongIntMap offsets, Plan plan, long[] position) {}

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
        PooledText text = pooled.computeIfAbsent(field.type(), this::pooledText);
        int offset = text.offsets.get(slot);
        if (offset == LongIntMap.ABSENT) {
            return "";
        }
        in.at = offset;
        text.position[0] = 0;
        text.plan.run(in, text.position);
        return text.position[0] == 0 ? "" : at((int) text.position[0]);
    }

    private PooledText pooledText(long typeId) {
        Metadata.Type type = metadata.type(typeId);
        String first = type.fields().isEmpty() ? "" : type.fields().getFirst().name();
        return new PooledText(
                pools.offsets(type.name()),
                Plan.whole(metadata, in.compressed, type, first),
                new long[1]);
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
