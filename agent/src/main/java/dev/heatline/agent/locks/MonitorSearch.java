package dev.heatline.agent.locks;

import java.util.Arrays;
import java.util.BitSet;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;

/**
 * Looks for methods that have something to hook. Most have not, and their code is not read by the
 * library that changes the others: its reader is one huge method, which a JVM that meets it often
 * compiles for seconds, while the application's own code waits to be compiled.
 */
final class MonitorSearch {
    private static final int METHODREF = 10;
    private static final int WIDE = 196;

    /** Opcodes from the first of each pair on are as long as its second; 0 where it depends. */
    private static final int[][] LENGTHS = {
        {0, 1}, {16, 2}, {17, 3}, {18, 2}, {19, 3}, {21, 2}, {26, 1}, {54, 2}, {59, 1}, {132, 3},
        {133, 1}, {153, 3}, {169, 2}, {170, 0}, {172, 1}, {178, 3}, {185, 5}, {187, 3}, {188, 2},
        {189, 3}, {190, 1}, {192, 3}, {194, 1}, {196, 0}, {197, 4}, {198, 3}, {200, 5}, {202, 1},
    };

    private static final byte[] LENGTH = new byte[256];

    static {
        for (int[] length : LENGTHS) {
            Arrays.fill(LENGTH, length[0], LENGTH.length, (byte) length[1]);
        }
    }

    private final ClassReader reader;
    private final char[] text;

    /** Constants that are calls of wait and notify. */
    private final BitSet calls = new BitSet();

    private boolean notifies;

    private int at;

    MonitorSearch(ClassReader reader) {
        this.reader = reader;
        this.text = new char[reader.getMaxStringLength()];
        for (int i = 1; i < reader.getItemCount(); i++) {
            int item = reader.getItem(i);
            // The second half of a long constant has no place.
            if (item > 0 && reader.readByte(item - 1) == METHODREF) {
                int name = reader.getItem(reader.readUnsignedShort(item + 2));
                note(i, reader.readUTF8(name, text), reader.readUTF8(name + 2, text));
            }
        }
    }

    private void note(int constant, String name, String descriptor) {
        boolean isNotify = MonitorHooks.isNotify(Opcodes.INVOKEVIRTUAL, name, descriptor);
        boolean isWait = MonitorHooks.isWait(Opcodes.INVOKEVIRTUAL, name, descriptor);
        calls.set(constant, isNotify || isWait);
        notifies |= isNotify;
    }

    /** Whether a class notifies who waits. */
    static boolean notifies(byte[] bytes) {
        return new MonitorSearch(new ClassReader(bytes)).notifies;
    }

    /** How long each opcode is with its operands; 0 where it depends. */
    static byte[] opcodeLengths() {
        return LENGTH.clone();
    }

    /** The methods by their places in the class file. */
    BitSet methods() {
        BitSet found = new BitSet();
        at = reader.header + 6;
        int interfaces = nextShort();
        at += 2 * interfaces;
        int fields = nextShort();
        for (int i = 0; i < fields; i++) {
            nextMember();
        }
        int methods = nextShort();
        for (int i = 0; i < methods; i++) {
            boolean isSynchronized = MonitorHooks.isSynchronized(reader.readUnsignedShort(at));
            found.set(i, nextMember() || isSynchronized);
        }
        return found;
    }

    private int nextShort() {
        at += 2;
        return reader.readUnsignedShort(at - 2);
    }

    /** Goes behind a field or method; returns whether its code has something to hook. */
    private boolean nextMember() {
        boolean found = false;
        at += 6;
        int attributes = nextShort();
        for (int i = 0; i < attributes; i++) {
            if (reader.readUTF8(at, text).equals("Code")) {
                int code = at + 14;
                found = search(code, code + reader.readInt(at + 10));
            }
            at += 6 + reader.readInt(at + 2);
        }
        return found;
    }

    private boolean search(int code, int end) {
        for (int i = code; i < end; i += length(code, i)) {
            int opcode = reader.readByte(i);
            if (opcode == Opcodes.MONITORENTER || opcode == Opcodes.MONITOREXIT) {
                return true;
            }
            if ((opcode == Opcodes.INVOKEVIRTUAL || opcode == Opcodes.INVOKESPECIAL)
                    && calls.get(reader.readUnsignedShort(i + 1))) {
                return true;
            }
        }
        return false;
    }

    private int length(int code, int i) {
        // Operands of switches begin at a multiple of four.
        int operands = code + ((i - code + 4) & ~3);
        return switch (reader.readByte(i)) {
            case WIDE -> reader.readByte(i + 1) == Opcodes.IINC ? 6 : 4;
            case Opcodes.TABLESWITCH ->
                    operands
                            + 12
                            - i
                            + 4 * (reader.readInt(operands + 8) - reader.readInt(operands + 4) + 1);
            case Opcodes.LOOKUPSWITCH -> operands + 8 - i + 8 * reader.readInt(operands + 4);
            default -> LENGTH[reader.readByte(i)];
        };
    }
}
