package dev.heatline.agent.calls;

import dev.heatline.agent.calls.CallInsertion.Numbers;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.MultiANewArrayInsnNode;
import org.objectweb.asm.tree.TypeInsnNode;

/**
 * Inserts hooks where a method makes objects: before they are whole, so that nothing needs to be
 * known of who calls their constructor; only arrays of arrays are looked at afterwards. Where
 * objects are tracked, another hook is given those that {@link Whole} finds.
 */
final class Making {
    /** By the operand of the instruction, from the first on. */
    private static final List<Type> PRIMITIVES =
            List.of(
                    Type.BOOLEAN_TYPE,
                    Type.CHAR_TYPE,
                    Type.FLOAT_TYPE,
                    Type.DOUBLE_TYPE,
                    Type.BYTE_TYPE,
                    Type.SHORT_TYPE,
                    Type.INT_TYPE,
                    Type.LONG_TYPE);

    private static final int MOST_STACK = 4;

    private final String className;
    private final MethodNode method;
    private final Numbers numbers;
    private int line;

    /** What the objects are that are told of. */
    private final Map<AbstractInsnNode, Integer> objects = new HashMap<>();

    Making(String className, MethodNode method, Numbers numbers) {
        this.className = className;
        this.method = method;
        this.numbers = numbers;
    }

    void insert() {
        boolean any = false;
        // Before anything is inserted: it is the method as it was that is looked at.
        Map<AbstractInsnNode, AbstractInsnNode> whole =
                numbers.tracked() ? Whole.find(className, method) : Map.of();
        for (AbstractInsnNode each : method.instructions.toArray()) {
            if (each instanceof LineNumberNode number) {
                line = number.line;
            } else {
                any |= mark(each);
            }
        }
        whole.forEach(this::markWhole);
        method.maxStack += any ? MOST_STACK : 0;
    }

    private void markWhole(AbstractInsnNode constructor, AbstractInsnNode made) {
        Integer what = objects.get(made);
        if (what != null) {
            InsnList code = new InsnList();
            code.add(new InsnNode(Opcodes.DUP));
            code.add(CallInsertion.number(what));
            code.add(hook("whole", "(Ljava/lang/Object;I)V"));
            method.instructions.insert(constructor, code);
        }
    }

    /** Inserts what an instruction needs, if it makes something of interest; whether it does. */
    private boolean mark(AbstractInsnNode each) {
        return switch (each.getOpcode()) {
            case Opcodes.NEW -> markObject((TypeInsnNode) each);
            case Opcodes.NEWARRAY ->
                    markArray(
                            each, PRIMITIVES.get(((IntInsnNode) each).operand - Opcodes.T_BOOLEAN));
            case Opcodes.ANEWARRAY ->
                    markArray(each, Type.getObjectType(((TypeInsnNode) each).desc));
            case Opcodes.MULTIANEWARRAY -> markArrays((MultiANewArrayInsnNode) each);
            default -> false;
        };
    }

    private boolean markObject(TypeInsnNode made) {
        int what = numbers.made(made.desc, line);
        if (what == Numbers.NONE) {
            return false;
        }
        InsnList code = new InsnList();
        code.add(CallInsertion.number(what));
        code.add(hook("made", "(I)V"));
        method.instructions.insert(made, code);
        objects.put(made, what);
        return true;
    }

    private boolean markArray(AbstractInsnNode made, Type element) {
        int what = numbers.made(name(element) + "[]", line);
        if (what == Numbers.NONE) {
            return false;
        }
        if (numbers.tracked()) {
            markArrays(made, what, element, 1);
            return true;
        }
        InsnList code = new InsnList();
        code.add(new InsnNode(Opcodes.DUP));
        code.add(CallInsertion.number(what));
        code.add(CallInsertion.number(scale(element)));
        code.add(hook("made", "(III)V"));
        method.instructions.insertBefore(made, code);
        return true;
    }

    private boolean markArrays(MultiANewArrayInsnNode made) {
        int what = numbers.made(name(Type.getType(made.desc)), line);
        if (what == Numbers.NONE) {
            return false;
        }
        // Fewer dimensions may be made than the type has.
        Type innermost = Type.getType(made.desc.substring(made.dims));
        markArrays(made, what, innermost, made.dims);
        return true;
    }

    private void markArrays(AbstractInsnNode made, int what, Type innermost, int dimensions) {
        InsnList code = new InsnList();
        code.add(new InsnNode(Opcodes.DUP));
        code.add(CallInsertion.number(what));
        code.add(CallInsertion.number(scale(innermost)));
        code.add(CallInsertion.number(dimensions));
        code.add(hook("made", "(Ljava/lang/Object;III)V"));
        method.instructions.insert(made, code);
    }

    /** With slashes, and brackets for arrays. */
    private static String name(Type type) {
        return type.getClassName().replace('.', '/');
    }

    private int scale(Type element) {
        return switch (element.getSort()) {
            case Type.BOOLEAN, Type.BYTE -> Byte.BYTES;
            case Type.CHAR, Type.SHORT -> Short.BYTES;
            case Type.INT, Type.FLOAT -> Integer.BYTES;
            case Type.LONG, Type.DOUBLE -> Long.BYTES;
            default -> numbers.reference();
        };
    }

    private static MethodInsnNode hook(String name, String descriptor) {
        return new MethodInsnNode(
                Opcodes.INVOKESTATIC, CallInsertion.HOOKS, name, descriptor, false);
    }
}
