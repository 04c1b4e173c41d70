package dev.heatline.agent.calls;

import dev.heatline.agent.boot.RegionHooks;
import dev.heatline.agent.boot.RootHooks;
import dev.heatline.agent.calls.CallInsertion.Chosen;
import dev.heatline.agent.calls.CallInsertion.Kind;
import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/** What is inserted into a method. */
interface Inserted {

    /** What is kept in variables behind all others, as in stack maps. */
    List<Object> kept();

    InsnList begin();

    /** Anew each time. */
    InsnList end();

    /** How much stack the end needs. */
    int stack();

    /**
     * For a method of which contexts are wanted.
     *
     * @param kept the node that was entered, and that of a native method
     * @param entered the first variable behind all others
     */
    record Call(Chosen chosen, List<Object> kept, int entered) implements Inserted {

        static Call of(MethodNode method, Chosen chosen, boolean natives) {
            List<Object> kept = new ArrayList<>();
            kept.add(Opcodes.INTEGER);
            if (natives) {
                kept.add(Opcodes.INTEGER);
            }
            return new Call(chosen, kept, method.maxLocals);
        }

        @Override
        public InsnList begin() {
            String hook = chosen.kind() == Kind.ROOT ? "root" : "enter";
            InsnList code = CallInsertion.enter(hook, chosen.id(), entered);
            if (kept.size() > 1) {
                code.add(new InsnNode(Opcodes.ICONST_0));
                code.add(new VarInsnNode(Opcodes.ISTORE, entered + 1));
            }
            return code;
        }

        @Override
        public InsnList end() {
            return CallInsertion.hook("exit", entered);
        }

        @Override
        public int stack() {
            return 1;
        }
    }

    /**
     * For a method of which only times are wanted. Its arguments are kept, since it may write to
     * the variables that they are in.
     *
     * @param arguments the variables of those that are objects
     * @param kept the time at which it began, and they
     * @param begun the first variable behind all others
     */
    record Region(int id, List<Integer> arguments, List<Object> kept, int begun)
            implements Inserted {
        private static final String HOOKS = Type.getInternalName(RegionHooks.class);
        private static final int MOST = 4;
        private static final String END = "(JI" + "Ljava/lang/Object;".repeat(MOST) + ")V";

        static Region of(MethodNode method, int id) {
            List<Integer> arguments = new ArrayList<>();
            List<Object> kept = new ArrayList<>();
            kept.add(Opcodes.LONG);
            int variable = (method.access & Opcodes.ACC_STATIC) == 0 ? 1 : 0;
            for (Type type : Type.getArgumentTypes(method.desc)) {
                if (type.getSort() >= Type.ARRAY && arguments.size() < MOST) {
                    arguments.add(variable);
                    kept.add(type.getInternalName());
                }
                variable += type.getSize();
            }
            return new Region(id, arguments, kept, method.maxLocals);
        }

        @Override
        public InsnList begin() {
            InsnList code = new InsnList();
            int copy = begun + 2;
            for (int argument : arguments) {
                code.add(new VarInsnNode(Opcodes.ALOAD, argument));
                code.add(new VarInsnNode(Opcodes.ASTORE, copy++));
            }
            code.add(new MethodInsnNode(Opcodes.INVOKESTATIC, HOOKS, "begin", "()J", false));
            code.add(new VarInsnNode(Opcodes.LSTORE, begun));
            return code;
        }

        @Override
        public InsnList end() {
            InsnList code = new InsnList();
            code.add(new VarInsnNode(Opcodes.LLOAD, begun));
            code.add(CallInsertion.number(id));
            for (int i = 0; i < MOST; i++) {
                code.add(
                        i < arguments.size()
                                ? new VarInsnNode(Opcodes.ALOAD, begun + 2 + i)
                                : new InsnNode(Opcodes.ACONST_NULL));
            }
            code.add(new MethodInsnNode(Opcodes.INVOKESTATIC, HOOKS, "end", END, false));
            return code;
        }

        @Override
        public int stack() {
            return 3 + MOST;
        }
    }

    /**
     * For a root by which nothing else is measured.
     *
     * @param begun the first variable behind all others
     */
    record Alone(int id, int begun) implements Inserted {
        private static final String HOOKS = Type.getInternalName(RootHooks.class);

        @Override
        public List<Object> kept() {
            return List.of(Opcodes.LONG);
        }

        @Override
        public InsnList begin() {
            InsnList code = new InsnList();
            code.add(new MethodInsnNode(Opcodes.INVOKESTATIC, HOOKS, "begin", "()J", false));
            code.add(new VarInsnNode(Opcodes.LSTORE, begun));
            return code;
        }

        @Override
        public InsnList end() {
            InsnList code = new InsnList();
            code.add(new VarInsnNode(Opcodes.LLOAD, begun));
            code.add(CallInsertion.number(id));
            code.add(new MethodInsnNode(Opcodes.INVOKESTATIC, HOOKS, "end", "(JI)V", false));
            return code;
        }

        @Override
        public int stack() {
            return 3;
        }
    }
}
