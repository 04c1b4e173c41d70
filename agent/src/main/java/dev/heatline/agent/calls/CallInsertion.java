package dev.heatline.agent.calls;

import dev.heatline.agent.boot.CallHooks;
import dev.heatline.agent.calls.ClassShape.Signature;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.ListIterator;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Inserts the hooks of {@link CallHooks} into methods: one where it begins, one before each return,
 * one in a handler around everything, and one at the beginning of each of its own handlers. What
 * the first answers is kept in a variable behind all others, which every stack map is told of. For
 * those of {@link dev.heatline.agent.boot.RegionHooks} and {@link
 * dev.heatline.agent.boot.RootHooks} it is the same, without the method's own handlers.
 */
final class CallInsertion {
    static final String HOOKS = Type.getInternalName(CallHooks.class);

    /** From where methods are called by reflection, or which see to calls by method handles. */
    static final Set<String> REFLECTION =
            Set.of(
                    "java/lang/reflect/Method",
                    "java/lang/reflect/Constructor",
                    "java/lang/invoke/Invokers");

    private static final String THROWABLE = "java/lang/Throwable";
    private static final int FIRST_WITH_STACK_MAPS = Opcodes.V1_6;

    /** How a method is measured: inside of roots, as a root, alone, or as a root that is alone. */
    enum Kind {
        CALL,
        ROOT,
        REGION,
        ALONE;

        /** Whether contexts are wanted, and what is made in them. */
        boolean isInTree() {
            return this == CALL || this == ROOT;
        }
    }

    /** A method that is to be measured. */
    record Chosen(int id, Kind kind) {}

    /** Gives numbers to what is measured inside of methods. */
    interface Numbers {
        int NONE = -1;

        /** For methods in which nothing is measured. */
        Numbers OF_NOTHING =
                new Numbers() {
                    @Override
                    public int made(String type, int line) {
                        return NONE;
                    }

                    @Override
                    public int reference() {
                        return 0;
                    }

                    @Override
                    public boolean tracked() {
                        return false;
                    }

                    @Override
                    public int nativeMethod(String owner, Signature signature, boolean exact) {
                        return NONE;
                    }
                };

        /**
         * The number of what is made at a line; none if that is of no interest.
         *
         * @param type the internal name of the class, or of an array's elements with brackets
         */
        int made(String type, int line);

        /** Bytes of an element of an array that is an object. */
        int reference();

        /** Whether what is made is also told of when it is whole. */
        boolean tracked();

        /**
         * The number of a method that is native, and measured; otherwise none.
         *
         * @param exact whether no overriding method can be meant
         */
        int nativeMethod(String owner, Signature signature, boolean exact);
    }

    private CallInsertion() {}

    /** The class with hooks in those of its methods. */
    static byte[] insert(byte[] bytes, Map<Signature, Chosen> methods, Numbers numbers) {
        ClassReader reader = new ClassReader(bytes);
        // Nothing is left to the writer to compute: that would load classes.
        ClassWriter writer = new ClassWriter(reader, 0);
        reader.accept(new Change(writer, methods, numbers), ClassReader.EXPAND_FRAMES);
        return writer.toByteArray();
    }

    /** Has one of those classes tell what is about to be called. */
    static byte[] tellReflection(byte[] bytes) {
        ClassReader reader = new ClassReader(bytes);
        ClassWriter writer = new ClassWriter(reader, 0);
        reader.accept(new Reflection(writer), 0);
        return writer.toByteArray();
    }

    private static final class Reflection extends ClassVisitor {
        /** Their first argument, or their object, is what is about to be called. */
        private static final Set<String> CALLS =
                Set.of("invoke", "newInstanceWithCaller", "checkExactType", "checkGenericType");

        private Reflection(ClassVisitor writer) {
            super(Opcodes.ASM9, writer);
        }

        @Override
        public MethodVisitor visitMethod(
                int access,
                String name,
                String descriptor,
                @Nullable String signature,
                String @Nullable [] exceptions) {
            MethodVisitor writer =
                    super.visitMethod(access, name, descriptor, signature, exceptions);
            if (!CALLS.contains(name)) {
                return writer;
            }
            return new MethodVisitor(Opcodes.ASM9, writer) {
                @Override
                public void visitCode() {
                    super.visitCode();
                    super.visitVarInsn(Opcodes.ALOAD, 0);
                    super.visitMethodInsn(
                            Opcodes.INVOKESTATIC,
                            HOOKS,
                            "reflected",
                            "(Ljava/lang/Object;)V",
                            false);
                }
            };
        }
    }

    private static final class Change extends ClassVisitor {
        private final Map<Signature, Chosen> methods;
        private final Numbers numbers;
        private String className = "";
        private boolean stackMaps;

        private Change(ClassVisitor writer, Map<Signature, Chosen> methods, Numbers numbers) {
            super(Opcodes.ASM9, writer);
            this.methods = methods;
            this.numbers = numbers;
        }

        @Override
        public void visit(
                int version,
                int access,
                String name,
                @Nullable String signature,
                @Nullable String superName,
                String @Nullable [] interfaces) {
            className = name;
            stackMaps = (version & 0xFFFF) >= FIRST_WITH_STACK_MAPS;
            super.visit(version, access, name, signature, superName, interfaces);
        }

        @Override
        public MethodVisitor visitMethod(
                int access,
                String name,
                String descriptor,
                @Nullable String signature,
                String @Nullable [] exceptions) {
            MethodVisitor writer =
                    super.visitMethod(access, name, descriptor, signature, exceptions);
            Chosen chosen = methods.get(new Signature(name, descriptor));
            if (chosen == null || (access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE)) != 0) {
                return writer;
            }
            return new MethodNode(Opcodes.ASM9, access, name, descriptor, signature, exceptions) {
                @Override
                public void visitEnd() {
                    insert(this, chosen);
                    accept(writer);
                }
            };
        }

        private void insert(MethodNode method, Chosen chosen) {
            boolean inTree = chosen.kind().isInTree();
            Inserted code =
                    switch (chosen.kind()) {
                        case REGION -> Inserted.Region.of(method, chosen.id());
                        case ALONE -> new Inserted.Alone(chosen.id(), method.maxLocals);
                        case CALL, ROOT -> Inserted.Call.of(method, chosen, insertNatives(method));
                    };
            int behind = method.maxLocals;
            method.maxLocals += slots(code.kept());
            method.maxStack = Math.max(method.maxStack, 1) + code.stack();
            if (inTree) {
                new Making(className, method, numbers).insert();
            }
            tellFrames(method, behind, code.kept());
            LabelNode handler = new LabelNode();
            List<TryCatchBlockNode> caught = protect(method, handler);
            if (inTree) {
                for (TryCatchBlockNode block : method.tryCatchBlocks) {
                    if (!coversItself(method, block)) {
                        insertCaught(method, block, behind);
                    }
                }
            }
            insertEnds(method, code);
            method.instructions.insert(code.begin());
            appendHandler(method, handler, behind, code);
            // The last, so that the method's own come first.
            method.tryCatchBlocks.addAll(caught);
        }

        /**
         * Inserts hooks around calls of native methods, which have no code of their own; whether
         * there are any. One that is left by an exception is noticed by whoever catches it.
         */
        private boolean insertNatives(MethodNode method) {
            boolean any = false;
            int entered = method.maxLocals + 1;
            for (AbstractInsnNode each : method.instructions.toArray()) {
                if (each instanceof MethodInsnNode call) {
                    boolean exact =
                            call.getOpcode() == Opcodes.INVOKESTATIC
                                    || call.getOpcode() == Opcodes.INVOKESPECIAL;
                    Signature signature = new Signature(call.name, call.desc);
                    int callee = numbers.nativeMethod(call.owner, signature, exact);
                    if (callee != Numbers.NONE) {
                        any = true;
                        method.instructions.insertBefore(call, enter("enter", callee, entered));
                        method.instructions.insert(call, hook("exit", entered));
                    }
                }
            }
            return any;
        }

        /** What has exceptions caught by a handler that is not there yet. */
        private List<TryCatchBlockNode> protect(MethodNode method, LabelNode handler) {
            List<TryCatchBlockNode> blocks = new ArrayList<>();
            for (Protected some : Protected.of(className, method)) {
                LabelNode from = new LabelNode();
                LabelNode to = new LabelNode();
                method.instructions.insertBefore(some.first(), from);
                method.instructions.insert(some.last(), to);
                blocks.add(new TryCatchBlockNode(from, to, handler, null));
            }
            return blocks;
        }

        private void appendHandler(
                MethodNode method, LabelNode handler, int behind, Inserted code) {
            method.instructions.add(handler);
            if (stackMaps) {
                List<Object> locals = new ArrayList<>(Collections.nCopies(behind, Opcodes.TOP));
                locals.addAll(code.kept());
                method.instructions.add(
                        new FrameNode(
                                Opcodes.F_NEW,
                                locals.size(),
                                locals.toArray(),
                                1,
                                new Object[] {THROWABLE}));
            }
            method.instructions.add(code.end());
            method.instructions.add(new InsnNode(Opcodes.ATHROW));
        }
    }

    private static int slots(List<Object> types) {
        int slots = 0;
        for (Object type : types) {
            slots += type.equals(Opcodes.LONG) || type.equals(Opcodes.DOUBLE) ? 2 : 1;
        }
        return slots;
    }

    static AbstractInsnNode number(int value) {
        return value >= Short.MIN_VALUE && value <= Short.MAX_VALUE
                ? new IntInsnNode(Opcodes.SIPUSH, value)
                : new LdcInsnNode(value);
    }

    static InsnList enter(String hook, int method, int entered) {
        InsnList code = new InsnList();
        code.add(number(method));
        code.add(new MethodInsnNode(Opcodes.INVOKESTATIC, HOOKS, hook, "(I)I", false));
        code.add(new VarInsnNode(Opcodes.ISTORE, entered));
        return code;
    }

    static InsnList hook(String name, int entered) {
        InsnList code = new InsnList();
        code.add(new VarInsnNode(Opcodes.ILOAD, entered));
        code.add(new MethodInsnNode(Opcodes.INVOKESTATIC, HOOKS, name, "(I)V", false));
        return code;
    }

    private static void insertEnds(MethodNode method, Inserted code) {
        ListIterator<AbstractInsnNode> all = method.instructions.iterator();
        while (all.hasNext()) {
            AbstractInsnNode each = all.next();
            if (each.getOpcode() >= Opcodes.IRETURN && each.getOpcode() <= Opcodes.RETURN) {
                method.instructions.insertBefore(each, code.end());
            }
        }
    }

    /**
     * Whether what is thrown at the beginning of the handler comes back to it, as where a monitor
     * is left: a hook that runs out of stack there would do so again and again.
     */
    private static boolean coversItself(MethodNode method, TryCatchBlockNode block) {
        for (TryCatchBlockNode each : method.tryCatchBlocks) {
            if (each.handler.equals(block.handler) && each.start.equals(block.handler)) {
                return true;
            }
        }
        return false;
    }

    /** Behind the label and the stack map of a handler, which may have more than one block. */
    private static void insertCaught(MethodNode method, TryCatchBlockNode block, int entered) {
        AbstractInsnNode at = block.handler;
        AbstractInsnNode next = at.getNext();
        while (next instanceof FrameNode
                || next instanceof LabelNode
                || next instanceof LineNumberNode) {
            at = next;
            next = at.getNext();
        }
        boolean done =
                next != null
                        && next.getNext() instanceof MethodInsnNode hook
                        && hook.owner.equals(HOOKS)
                        && hook.name.equals("caught");
        if (!done) {
            method.instructions.insert(at, hook("caught", entered));
        }
    }

    private static void tellFrames(MethodNode method, int behind, List<Object> kept) {
        for (AbstractInsnNode each : method.instructions) {
            if (each instanceof FrameNode frame) {
                List<Object> locals = new ArrayList<>(frame.local);
                locals.addAll(Collections.nCopies(behind - slots(locals), Opcodes.TOP));
                locals.addAll(kept);
                frame.local = locals;
            }
        }
    }
}
