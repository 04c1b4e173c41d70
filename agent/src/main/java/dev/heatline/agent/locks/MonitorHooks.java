package dev.heatline.agent.locks;

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

    /** Returns the class with hooks, or null if it has no use for them. */
    static byte @Nullable [] insert(byte[] bytes) {
        ClassReader reader = new ClassReader(bytes);
        Search search = new Search();
        reader.accept(search, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
        if (!search.found) {
            return null;
        }
        ClassWriter writer = new ClassWriter(reader, 0);
        Change change = new Change(writer);
        reader.accept(change, 0);
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

    /** Most classes have no monitors: they are only looked through. */
    private static final class Search extends ClassVisitor {
        private boolean found;

        private Search() {
            super(Opcodes.ASM9);
        }

        @Override
        public @Nullable MethodVisitor visitMethod(
                int access,
                String name,
                String descriptor,
                @Nullable String signature,
                String @Nullable [] exceptions) {
            found |= isSynchronized(access);
            if (found) {
                return null;
            }
            return new MethodVisitor(Opcodes.ASM9) {
                @Override
                public void visitInsn(int opcode) {
                    found |= opcode == Opcodes.MONITOREXIT;
                }

                @Override
                public void visitMethodInsn(
                        int opcode,
                        String owner,
                        String name,
                        String descriptor,
                        boolean isInterface) {
                    found |= isWait(opcode, name, descriptor) || isNotify(opcode, name, descriptor);
                }
            };
        }
    }

    private static final class Change extends ClassVisitor {
        private String className = "";
        private int version;
        private boolean changed;

        private Change(ClassVisitor next) {
            super(Opcodes.ASM9, next);
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
            MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
            return new MethodNode(Opcodes.ASM9, access, name, descriptor, signature, exceptions) {
                @Override
                public void visitEnd() {
                    changed |= new MethodHooks(this, className, version).insert();
                    accept(next);
                }
            };
        }
    }
}
