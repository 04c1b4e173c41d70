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
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Inserts the hooks of {@link CallHooks} into methods: one where it begins, one before each return,
 * one in a handler around everything, and one at the beginning of each of its own handlers. What
 * the first answers is kept in a variable behind all others, which every stack map is told of.
 */
final class CallInsertion {
    private static final String HOOKS = Type.getInternalName(CallHooks.class);

    /** From where methods are called by reflection. */
    static final Set<String> REFLECTION =
            Set.of("java/lang/reflect/Method", "java/lang/reflect/Constructor");

    private static final String THROWABLE = "java/lang/Throwable";
    private static final int FIRST_WITH_STACK_MAPS = Opcodes.V1_6;

    /** A method that is to be measured. */
    record Chosen(int id, boolean root) {}

    private CallInsertion() {}

    /** The class with hooks in those of its methods. */
    static byte[] insert(byte[] bytes, Map<Signature, Chosen> methods) {
        ClassReader reader = new ClassReader(bytes);
        // Nothing is left to the writer to compute: that would load classes.
        ClassWriter writer = new ClassWriter(reader, 0);
        reader.accept(new Change(writer, methods), ClassReader.EXPAND_FRAMES);
        return writer.toByteArray();
    }

    /** Has one of those classes tell what it is about to call. */
    static byte[] tellReflection(byte[] bytes) {
        ClassReader reader = new ClassReader(bytes);
        ClassWriter writer = new ClassWriter(reader, 0);
        reader.accept(new Reflection(writer), 0);
        return writer.toByteArray();
    }

    private static final class Reflection extends ClassVisitor {
        private static final Set<String> CALLS = Set.of("invoke", "newInstanceWithCaller");

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
        private String className = "";
        private @Nullable String superName;
        private boolean stackMaps;

        private Change(ClassVisitor writer, Map<Signature, Chosen> methods) {
            super(Opcodes.ASM9, writer);
            this.methods = methods;
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
            this.superName = superName;
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
            int entered = method.maxLocals;
            method.maxLocals++;
            method.maxStack = Math.max(method.maxStack + 1, 2);
            tellFrames(method, entered);
            LabelNode from = new LabelNode();
            AbstractInsnNode first = firstProtected(method);
            if (first == null) {
                method.instructions.insert(from);
            } else {
                method.instructions.insert(first, from);
            }
            for (TryCatchBlockNode block : method.tryCatchBlocks) {
                if (!coversItself(method, block)) {
                    insertCaught(method, block, entered);
                }
            }
            insertExits(method, entered);
            method.instructions.insert(enter(chosen, entered));
            appendHandler(method, from, entered);
        }

        /**
         * The instruction from behind which exceptions are caught; null for the first one. Before
         * its super constructor was called, a constructor has nothing that a handler may touch;
         * what is thrown there is noticed by whoever catches it.
         */
        private @Nullable AbstractInsnNode firstProtected(MethodNode method) {
            if (!method.name.equals("<init>")) {
                return null;
            }
            int made = 0;
            for (AbstractInsnNode each : method.instructions) {
                if (each instanceof TypeInsnNode type
                        && type.getOpcode() == Opcodes.NEW
                        && isOwn(type.desc)) {
                    made++;
                } else if (each instanceof MethodInsnNode call
                        && call.name.equals("<init>")
                        && isOwn(call.owner)
                        && --made < 0) {
                    return each;
                }
            }
            // Only in java.lang.Object.
            return null;
        }

        private boolean isOwn(String type) {
            return type.equals(className) || type.equals(superName);
        }

        private void appendHandler(MethodNode method, LabelNode from, int entered) {
            LabelNode handler = new LabelNode();
            method.instructions.add(handler);
            if (stackMaps) {
                List<Object> locals = new ArrayList<>(Collections.nCopies(entered, Opcodes.TOP));
                locals.add(Opcodes.INTEGER);
                method.instructions.add(
                        new FrameNode(
                                Opcodes.F_NEW,
                                locals.size(),
                                locals.toArray(),
                                1,
                                new Object[] {THROWABLE}));
            }
            method.instructions.add(call("exit", entered));
            method.instructions.add(new InsnNode(Opcodes.ATHROW));
            // The last, so that the method's own come first.
            method.tryCatchBlocks.add(new TryCatchBlockNode(from, handler, handler, null));
        }
    }

    private static InsnList enter(Chosen chosen, int entered) {
        InsnList code = new InsnList();
        code.add(number(chosen.id()));
        code.add(
                new MethodInsnNode(
                        Opcodes.INVOKESTATIC,
                        HOOKS,
                        chosen.root() ? "root" : "enter",
                        "(I)I",
                        false));
        code.add(new VarInsnNode(Opcodes.ISTORE, entered));
        return code;
    }

    private static AbstractInsnNode number(int value) {
        return value <= Short.MAX_VALUE
                ? new IntInsnNode(Opcodes.SIPUSH, value)
                : new LdcInsnNode(value);
    }

    private static InsnList call(String hook, int entered) {
        InsnList code = new InsnList();
        code.add(new VarInsnNode(Opcodes.ILOAD, entered));
        code.add(new MethodInsnNode(Opcodes.INVOKESTATIC, HOOKS, hook, "(I)V", false));
        return code;
    }

    private static void insertExits(MethodNode method, int entered) {
        ListIterator<AbstractInsnNode> all = method.instructions.iterator();
        while (all.hasNext()) {
            AbstractInsnNode each = all.next();
            if (each.getOpcode() >= Opcodes.IRETURN && each.getOpcode() <= Opcodes.RETURN) {
                method.instructions.insertBefore(each, call("exit", entered));
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
                        && hook.owner.equals(HOOKS);
        if (!done) {
            method.instructions.insert(at, call("caught", entered));
        }
    }

    private static void tellFrames(MethodNode method, int entered) {
        for (AbstractInsnNode each : method.instructions) {
            if (each instanceof FrameNode frame) {
                List<Object> locals = new ArrayList<>(frame.local);
                int slots = 0;
                for (Object local : locals) {
                    slots += local.equals(Opcodes.LONG) || local.equals(Opcodes.DOUBLE) ? 2 : 1;
                }
                locals.addAll(Collections.nCopies(entered - slots, Opcodes.TOP));
                locals.add(Opcodes.INTEGER);
                frame.local = locals;
            }
        }
    }
}
