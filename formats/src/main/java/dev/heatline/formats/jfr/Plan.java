package dev.heatline.formats.jfr;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How to go through the fields of one type: which are read into which slot, and everything else
 * folded into as few skips as possible. Made once per chunk and type from the metadata, so the
 * order of fields never matters.
 */
final class Plan {

    /** How many millionths a fractional number is stored in. */
    static final long FRACTION = 1_000_000;

    private static final int SKIP_VARINTS = 0;
    private static final int SKIP_BYTES = 1;
    private static final int SKIP_STRING = 2;

    /** Followed by the length of the code that skips one element. */
    private static final int SKIP_ARRAY = 3;

    private static final int READ_VARINT = 4;
    private static final int READ_BYTE = 5;
    private static final int READ_SHORT = 6;
    private static final int READ_INT = 7;
    private static final int READ_LONG = 8;
    private static final int READ_FLOAT = 9;
    private static final int READ_DOUBLE = 10;

    /** Notes where the next field starts: strings and arrays are decoded when they are needed. */
    private static final int READ_POSITION = 11;

    /** Far beyond any real type; a type that holds itself would go on forever. */
    private static final int MAX_VALUES = 1 << 12;

    private static final int MAX_DEPTH = 16;

    private final Metadata metadata;
    private final boolean compressed;
    private int[] code = new int[16];
    private int length;
    private int values;

    /** Where the last skip in the code is, so that the next one can join it; -1 after a read. */
    private int lastSkip = -1;

    /** Where the last read in the code is; -1 if there is none. */
    private int lastRead = -1;

    /**
     * Reads the wanted fields and stops with the last of them: behind it, or before it if only its
     * position was asked for. The caller knows where the value ends. Fields the type does not have
     * leave their slot alone.
     */
    static Plan upToLastWanted(Metadata metadata, Metadata.Type type, List<String> wanted) {
        Plan plan = new Plan(metadata);
        int last = -1;
        for (int i = 0; i < type.fields().size(); i++) {
            if (wanted.contains(type.fields().get(i).name())) {
                last = i;
            }
        }
        plan.fields(type.fields().subList(0, last + 1), wanted);
        if (plan.lastRead >= 0 && plan.code[plan.lastRead] == READ_POSITION) {
            plan.length = plan.lastRead + 2;
        }
        return plan;
    }

    /** Reads the wanted fields and ends where the value ends. */
    static Plan whole(Metadata metadata, Metadata.Type type, List<String> wanted) {
        Plan plan = new Plan(metadata);
        if (isScalar(type.name())) {
            if (!wanted.isEmpty()) {
                plan.emitRead(READ_POSITION, 0);
            }
            plan.value(type, 0);
        } else {
            plan.fields(type.fields(), wanted);
        }
        return plan;
    }

    private Plan(Metadata metadata) {
        this.metadata = metadata;
        this.compressed = metadata.isCompressed();
    }

    private static boolean isScalar(String typeName) {
        return switch (typeName) {
            case "boolean", "byte", "short", "char", "int", "long", "float", "double" -> true;
            case Metadata.STRING -> true;
            default -> false;
        };
    }

    private void fields(List<Metadata.Field> fields, List<String> wanted) {
        for (Metadata.Field field : fields) {
            int slot = wanted.indexOf(field.name());
            if (slot < 0 || !read(field, slot)) {
                skip(field, 0);
            }
        }
        code = Arrays.copyOf(code, length);
    }

    /** Whether the field was read; if not, its position was noted and it must still be skipped. */
    private boolean read(Metadata.Field field, int slot) {
        String name = metadata.type(field.type()).name();
        if (field.array() || (!field.pooled() && (!isScalar(name) || isString(name)))) {
            emitRead(READ_POSITION, slot);
            return false;
        }
        emitRead(field.pooled() ? integer(8) : readOf(name), slot);
        return true;
    }

    private static boolean isString(String typeName) {
        return typeName.equals(Metadata.STRING);
    }

    private int readOf(String scalar) {
        return switch (scalar) {
            case "boolean", "byte" -> READ_BYTE;
            case "short", "char" -> integer(2);
            case "int" -> integer(4);
            case "long" -> integer(8);
            case "float" -> READ_FLOAT;
            default -> READ_DOUBLE;
        };
    }

    private int integer(int width) {
        if (compressed) {
            return READ_VARINT;
        }
        return switch (width) {
            case 2 -> READ_SHORT;
            case 4 -> READ_INT;
            default -> READ_LONG;
        };
    }

    private void skip(Metadata.Field field, int depth) {
        if (!field.array()) {
            element(field, depth);
            return;
        }
        lastSkip = -1;
        emit(SKIP_ARRAY);
        emit(0);
        int body = length;
        element(field, depth);
        code[body - 1] = length - body;
        lastSkip = -1;
    }

    private void element(Metadata.Field field, int depth) {
        if (field.pooled()) {
            skipInteger(8);
        } else {
            value(metadata.type(field.type()), depth);
        }
    }

    private void value(Metadata.Type type, int depth) {
        if (depth > MAX_DEPTH || ++values > MAX_VALUES) {
            throw new Damage("describes a type " + type.name() + " without end");
        }
        switch (type.name()) {
            case "boolean", "byte" -> emitSkip(SKIP_BYTES, 1);
            case "short", "char" -> skipInteger(2);
            case "int" -> skipInteger(4);
            case "long" -> skipInteger(8);
            case "float" -> emitSkip(SKIP_BYTES, 4);
            case "double" -> emitSkip(SKIP_BYTES, 8);
            case Metadata.STRING -> {
                emit(SKIP_STRING);
                emit(0);
                lastSkip = -1;
            }
            default -> {
                for (Metadata.Field field : type.fields()) {
                    skip(field, depth + 1);
                }
            }
        }
    }

    private void skipInteger(int width) {
        if (compressed) {
            emitSkip(SKIP_VARINTS, 1);
        } else {
            emitSkip(SKIP_BYTES, width);
        }
    }

    private void emitSkip(int skip, int amount) {
        if (lastSkip >= 0 && code[lastSkip] == skip) {
            code[lastSkip + 1] += amount;
            return;
        }
        lastSkip = length;
        emit(skip);
        emit(amount);
    }

    private void emitRead(int read, int slot) {
        lastRead = length;
        emit(read);
        emit(slot);
        lastSkip = -1;
    }

    private void emit(int value) {
        if (length == code.length) {
            code = Arrays.copyOf(code, length * 2);
        }
        code[length++] = value;
    }

    /** Goes through one value, filling the slots of the wanted fields. */
    void run(Cursor in, long[] slots) {
        run(in, slots, 0, length);
    }

    private void run(Cursor in, long[] slots, int from, int to) {
        int pc = from;
        while (pc < to) {
            int operand = code[pc + 1];
            switch (code[pc]) {
                case READ_VARINT -> slots[operand] = in.varint();
                case SKIP_VARINTS -> in.skipVarints(operand);
                case SKIP_BYTES -> in.skipBytes(operand);
                case SKIP_STRING -> in.skipString();
                case SKIP_ARRAY -> {
                    skipArray(in, slots, pc + 2, operand);
                    pc += operand;
                }
                case READ_POSITION -> slots[operand] = in.at;
                case READ_BYTE -> slots[operand] = in.readByte();
                case READ_SHORT -> slots[operand] = in.raw(2);
                case READ_INT -> slots[operand] = in.raw(4);
                case READ_LONG -> slots[operand] = in.raw(8);
                case READ_FLOAT ->
                        slots[operand] =
                                Math.round(
                                        FRACTION * (double) Float.intBitsToFloat((int) in.raw(4)));
                default ->
                        slots[operand] = Math.round(FRACTION * Double.longBitsToDouble(in.raw(8)));
            }
            pc += 2;
        }
    }

    private void skipArray(Cursor in, long[] slots, int body, int bodyLength) {
        if (bodyLength == 0) {
            in.readLong();
            return;
        }
        int count = in.readCount();
        if (bodyLength == 2 && code[body] == SKIP_VARINTS) {
            in.skipVarints((long) count * code[body + 1]);
        } else if (bodyLength == 2 && code[body] == SKIP_BYTES) {
            in.skipBytes((long) count * code[body + 1]);
        } else {
            for (int i = 0; i < count; i++) {
                run(in, slots, body, body + bodyLength);
            }
        }
    }

    /**
     * Where each field goes, -1 for those that are skipped, if all fields of this plan are
     * compressed integers; otherwise null. See {@link PackedFields}.
     */
    int @Nullable [] varintSlots() {
        int[] slots = new int[length];
        int count = 0;
        for (int pc = 0; pc < length; pc += 2) {
            int fields = code[pc] == SKIP_VARINTS ? code[pc + 1] : 1;
            if (code[pc] != READ_VARINT && code[pc] != SKIP_VARINTS) {
                return null;
            }
            if (count + fields > slots.length) {
                slots = Arrays.copyOf(slots, (count + fields) * 2);
            }
            Arrays.fill(slots, count, count + fields, -1);
            if (code[pc] == READ_VARINT) {
                slots[count] = code[pc + 1];
            }
            count += fields;
        }
        return Arrays.copyOf(slots, count);
    }
}
