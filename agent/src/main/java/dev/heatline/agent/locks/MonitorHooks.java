package dev.heatline.agent.locks;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.MethodNode;

/**
 * Inserts hooks where monitors are left and notified, and replaces calls of {@code Object.wait}.
 * The code keeps its branches, so its stack maps stay as they are. Nothing is left to the class
 * writer to compute: it would need those, and the JVM's own classes come without.
 */
final class MonitorHooks {
    private MonitorHooks() {}

    /**
     * Returns the class with hooks, or null if it has no use for them.
     *
     * @param incomplete called if some places where it leaves monitors cannot have any
     */
    static byte @Nullable [] insert(byte[] bytes, Runnable incomplete) {
        ClassReader reader = new ClassReader(bytes);
        BitSet methods = new MonitorSearch(reader).methods();
        if (methods.isEmpty()) {
            return null;
        }
        ClassWriter writer = new ClassWriter(reader, 0);
        Change change = new Change(writer, methods);
        reader.accept(change, 0);
        if (!change.complete) {
            incomplete.run();
        }
        return change.changed ? writer.toByteArray() : null;
    }

    static boolean isSynchronized(int access) {
        return (access & Opcodes.ACC_SYNCHRONIZED) != 0
                && (access & (Opcodes.ACC_NATIVE | Opcodes.ACC_ABSTRACT)) == 0;
    }

    static boolean isWait(int opcode, String name, String descriptor) {
        return (opcode == Opcodes.INVOKEVIRTUAL || opcode == Opcodes.INVOKESPECIAL)
                && name.equals("wait")
                && (descriptor.equals("()V")
                        || descriptor.equals("(J)V")
                        || descriptor.equals("(JI)V"));
    }

    static boolean isNotify(int opcode, String name, String descriptor) {
        return (opcode == Opcodes.INVOKEVIRTUAL || opcode == Opcodes.INVOKESPECIAL)
                && (name.equals("notify") || name.equals("notifyAll"))
                && descriptor.equals("()V");
    }

    private static final class Change extends ClassVisitor {
        private final BitSet methods;
        private int next;
        private String className = "";
        private int version;
        private boolean changed;
        private boolean complete = true;

        private Change(ClassVisitor writer, BitSet methods) {
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
            this.version = version & 0xFFFF;
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
            if (!methods.get(next++)) {
                // Copied without being read.
                return writer;
            }
            return new MethodNode(Opcodes.ASM9, access, name, descriptor, signature, exceptions) {
                @Override
                public void visitEnd() {
                    MethodHooks hooks = new MethodHooks(this, className, version);
                    changed |= hooks.insert();
                    complete &= hooks.isComplete();
                    accept(writer);
                }
            };
        }
    }
}
