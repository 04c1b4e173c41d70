package dev.heatline.formats.jfr;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Reads some fields of the constants of one type. */
final class Constants {
    private final Cursor in;
    private final LongIntMap offsets;
    private final @Nullable Plan plan;
    private final Metadata.@Nullable Field[] fields;
    private final long[] slots;

    Constants(Metadata metadata, ConstantPools pools, String typeName, String... wanted) {
        in = pools.cursor();
        offsets = pools.offsets(typeName);
        Metadata.Type type = metadata.named(typeName);
        plan = type == null ? null : metadata.plan(type, wanted);
        fields = new Metadata.@Nullable Field[wanted.length];
        for (int i = 0; i < wanted.length; i++) {
            fields[i] = type == null ? null : type.field(wanted[i]);
        }
        slots = new long[wanted.length];
    }

    /** Goes to the constant of this id; false if there is none. */
    boolean find(long id) {
        int offset = offsets.get(id);
        if (offset == LongIntMap.ABSENT || plan == null) {
            return false;
        }
        in.at = offset;
        Arrays.fill(slots, 0);
        plan.run(in, slots);
        return true;
    }

    /** What the plan read for a field of the constant found last. */
    long number(int index) {
        return slots[index];
    }

    /** How a field is declared; null if the type has none of that name. */
    Metadata.@Nullable Field field(int index) {
        return fields[index];
    }
}
