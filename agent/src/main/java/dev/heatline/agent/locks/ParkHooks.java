package dev.heatline.agent.locks;

import dev.heatline.agent.boot.LockHooks;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Inserts hooks into the methods of LockSupport that park and unpark threads, and where a condition
 * moves a thread that is signalled to those who want the lock.
 */
final class ParkHooks {
    private static final String HOOKS = Type.getInternalName(LockHooks.class);
    private static final String PARK = "park";
    private static final Set<String> PARKS = Set.of(PARK, "parkNanos", "parkUntil");
    private static final String BLOCKER = "(Ljava/lang/Object;";

    /** What hooks need on the stack, which is empty where they are called but for an exception. */
    private static final int STACK = 2;

    private ParkHooks() {}

    static byte[] insert(byte[] bytes) {
        ClassReader reader = new ClassReader(bytes);
        ClassWriter writer = new ClassWriter(reader, 0);
        reader.accept(new Change(writer), 0);
        return writer.toByteArray();
    }

    private static final class Change extends ClassVisitor {
        private Change(ClassVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public MethodVisitor visitMethod(
                int access,
                String name,
                String descriptor,
                @Nullable String signature,
                String @Nullable [] exceptions) {
            MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
            if (PARKS.contains(name)) {
                return new Park(next, descriptor.startsWith(BLOCKER), !name.equals(PARK));
            }
            return switch (name) {
                case "unpark" -> new Unpark(next);
                case "doSignal" -> new Signal(next);
                default -> next;
            };
        }
    }

    private static void call(MethodVisitor method, String hook, String descriptor) {
        method.visitMethodInsn(Opcodes.INVOKESTATIC, HOOKS, hook, descriptor, false);
    }

    private static final class Unpark extends MethodVisitor {
        private Unpark(MethodVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public void visitCode() {
            super.visitCode();
            super.visitVarInsn(Opcodes.ALOAD, 0);
            call(mv, "unparking", "(Ljava/lang/Thread;)V");
        }

        @Override
        public void visitMaxs(int maxStack, int maxLocals) {
            super.visitMaxs(Math.max(maxStack, STACK), maxLocals);
        }
    }

    /** Nobody else can see whom a condition lets go: nodes of its queue are private to the JDK. */
    private static final class Signal extends MethodVisitor {
        private Signal(MethodVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public void visitMethodInsn(
                int opcode, String owner, String name, String descriptor, boolean isInterface) {
            if (name.equals("enqueue")) {
                // On the stack are the lock and the node.
                super.visitInsn(Opcodes.DUP2);
                super.visitFieldInsn(
                        Opcodes.GETFIELD, owner + "$Node", "waiter", "Ljava/lang/Thread;");
                call(mv, "signalling", "(Ljava/lang/Object;Ljava/lang/Thread;)V");
            }
            super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
        }

        @Override
        public void visitMaxs(int maxStack, int maxLocals) {
            super.visitMaxs(maxStack + STACK, maxLocals);
        }
    }

    private static final class Park extends MethodVisitor {
        private final boolean hasBlocker;
        private final boolean timed;
        private final Label from = new Label();

        private Park(MethodVisitor next, boolean hasBlocker, boolean timed) {
            super(Opcodes.ASM9, next);
            this.hasBlocker = hasBlocker;
            this.timed = timed;
        }

        @Override
        public void visitCode() {
            super.visitCode();
            if (hasBlocker) {
                super.visitVarInsn(Opcodes.ALOAD, 0);
            }
            super.visitInsn(timed ? Opcodes.ICONST_1 : Opcodes.ICONST_0);
            call(mv, "parking", hasBlocker ? "(Ljava/lang/Object;Z)V" : "(Z)V");
            super.visitLabel(from);
        }

        @Override
        public void visitInsn(int opcode) {
            if (opcode == Opcodes.RETURN) {
                call(mv, "parked", "()V");
            }
            super.visitInsn(opcode);
        }

        /** Whatever is thrown ends the park, too. */
        @Override
        public void visitMaxs(int maxStack, int maxLocals) {
            Label to = new Label();
            super.visitLabel(to);
            super.visitTryCatchBlock(from, to, to, null);
            super.visitFrame(
                    Opcodes.F_FULL, 0, new Object[0], 1, new Object[] {"java/lang/Throwable"});
            call(mv, "parked", "()V");
            super.visitInsn(Opcodes.ATHROW);
            super.visitMaxs(Math.max(maxStack, STACK), maxLocals);
        }
    }
}
