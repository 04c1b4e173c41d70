package dev.heatline.agent.locks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jdt.core.compiler.batch.BatchCompiler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/** Hooks in code of other compilers than javac. */
class OtherCompilersTest {
    private static final String SOURCE =
            """
            public final class Shapes implements java.util.concurrent.Callable<Integer> {
                private int count;

                public Integer call() throws Exception {
                    synchronized (this) {
                        for (int i = 0; i < 3; i++) {
                            synchronized (Shapes.class) {
                                count++;
                            }
                        }
                        if (count > 3) {
                            throw new IllegalStateException("expected");
                        }
                        return count;
                    }
                }
            }
            """;

    @TempDir private Path temp;

    /** For one class. */
    private static final class Loader extends ClassLoader {
        Class<?> define(byte[] bytes) {
            return defineClass(null, bytes, 0, bytes.length);
        }
    }

    /** It leaves the exception on the stack where javac stores it. */
    @Test
    void exceptionsAreSeenLeavingCodeOfEclipsesCompiler() throws Exception {
        byte[] bytes = compile();
        AtomicInteger incomplete = new AtomicInteger();
        byte[] hooked =
                Objects.requireNonNull(MonitorHooks.insert(bytes, incomplete::incrementAndGet));
        assertThat(incomplete).hasValue(0);
        assertThat(calls(hooked, "exit"))
                .hasSameSizeAs(opcodes(bytes, Opcodes.MONITOREXIT))
                .hasSizeGreaterThan(3);
        assertThat(calls(hooked, "enter")).hasSameSizeAs(opcodes(bytes, Opcodes.MONITORENTER));

        Class<?> type = new Loader().define(hooked);
        Callable<?> shapes = (Callable<?>) type.getDeclaredConstructor().newInstance();
        assertThat(shapes.call()).isEqualTo(3);
        assertThatThrownBy(shapes::call).hasMessage("expected");
        assertThat(Thread.holdsLock(shapes)).isFalse();
    }

    private byte[] compile() throws IOException {
        Path source = Files.writeString(temp.resolve("Shapes.java"), SOURCE);
        StringWriter problems = new StringWriter();
        boolean compiled =
                BatchCompiler.compile(
                        new String[] {"--release", "17", "-d", temp.toString(), source.toString()},
                        new PrintWriter(problems),
                        new PrintWriter(problems),
                        null);
        assertThat(compiled).as(problems.toString()).isTrue();
        return Files.readAllBytes(temp.resolve("Shapes.class"));
    }

    private static List<AbstractInsnNode> code(byte[] bytes) {
        ClassNode type = new ClassNode();
        new ClassReader(bytes).accept(type, 0);
        List<AbstractInsnNode> code = new ArrayList<>();
        for (MethodNode method : type.methods) {
            method.instructions.forEach(code::add);
        }
        return code;
    }

    private static List<AbstractInsnNode> opcodes(byte[] bytes, int opcode) {
        return code(bytes).stream().filter(node -> node.getOpcode() == opcode).toList();
    }

    private static List<AbstractInsnNode> calls(byte[] bytes, String hook) {
        return code(bytes).stream()
                .filter(node -> node instanceof MethodInsnNode call && call.name.equals(hook))
                .toList();
    }

    /** As compilers of other languages do: what is thrown between the two keeps the monitor. */
    @Test
    void anExitThatNothingGuardsHasNoHookAndIsTold() {
        AtomicInteger incomplete = new AtomicInteger();
        byte[] hooked = MonitorHooks.insert(unguarded(), incomplete::incrementAndGet);
        assertThat(incomplete).hasValue(1);
        assertThat(calls(Objects.requireNonNull(hooked), "exit")).isEmpty();
    }

    private static byte[] unguarded() {
        ClassWriter type = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        type.visit(Opcodes.V1_5, Opcodes.ACC_PUBLIC, "Unguarded", null, "java/lang/Object", null);
        MethodVisitor method =
                type.visitMethod(Opcodes.ACC_STATIC, "run", "(Ljava/lang/Object;)V", null, null);
        Label from = new Label();
        Label to = new Label();
        method.visitTryCatchBlock(from, to, to, null);
        method.visitCode();
        method.visitVarInsn(Opcodes.ALOAD, 0);
        method.visitInsn(Opcodes.MONITORENTER);
        method.visitLabel(from);
        method.visitMethodInsn(
                Opcodes.INVOKESTATIC, "java/lang/Thread", "onSpinWait", "()V", false);
        method.visitVarInsn(Opcodes.ALOAD, 0);
        method.visitMethodInsn(
                Opcodes.INVOKEVIRTUAL, "java/lang/Object", "notifyAll", "()V", false);
        Label end = new Label();
        method.visitJumpInsn(Opcodes.GOTO, end);
        method.visitLabel(to);
        method.visitVarInsn(Opcodes.ASTORE, 1);
        method.visitVarInsn(Opcodes.ALOAD, 0);
        method.visitInsn(Opcodes.MONITOREXIT);
        method.visitVarInsn(Opcodes.ALOAD, 1);
        method.visitInsn(Opcodes.ATHROW);
        method.visitLabel(end);
        method.visitVarInsn(Opcodes.ALOAD, 0);
        method.visitInsn(Opcodes.MONITOREXIT);
        method.visitInsn(Opcodes.RETURN);
        method.visitMaxs(0, 0);
        method.visitEnd();
        type.visitEnd();
        return type.toByteArray();
    }
}
