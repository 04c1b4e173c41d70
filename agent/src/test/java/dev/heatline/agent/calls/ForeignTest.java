package dev.heatline.agent.calls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.agent.Target;
import dev.heatline.agent.locks.ChangeLogger;
import dev.heatline.wire.CallRequest;
import dev.heatline.wire.CallSnapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.objectweb.asm.Attribute;
import org.objectweb.asm.ByteVector;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Classes of several loaders, and such as no compiler for Java writes them. */
class ForeignTest {
    private static final String ROOT = Foreign.class.getName() + "::root";
    private static final String ROOT_CONTEXT = Foreign.class.getName() + ".root";

    @TempDir private Path folder;

    static Stream<Path> jvms() throws IOException {
        return Target.jvms().stream();
    }

    private Measured start(Path jvm) throws IOException {
        return Measured.start(jvm, "-D" + Foreign.FOLDER + "=" + folder);
    }

    /** A class that can be run and is like others of its kind. */
    private void compile(String name, String code) throws IOException {
        int dot = name.lastIndexOf('.');
        Path source = folder.resolve(name.substring(dot + 1) + ".java");
        Files.writeString(source, "package " + name.substring(0, dot) + "; " + code);
        int failures =
                ToolProvider.getSystemJavaCompiler()
                        .run(
                                null,
                                null,
                                null,
                                "--release",
                                "17",
                                "-proc:none",
                                "-cp",
                                folder.toString(),
                                "-d",
                                folder.toString(),
                                source.toString());
        assertThat(failures).isZero();
    }

    private void write(String name, ClassWriter writer) throws IOException {
        Files.write(folder.resolve(name.replace('.', '/') + ".class"), writer.toByteArray());
    }

    /** It calls the super constructor on two branches; compilers for other languages do that. */
    @ParameterizedTest
    @MethodSource("jvms")
    void aConstructorMayCallAnotherOneOnEachBranch(Path jvm) throws Exception {
        String name = "odd.Branched";
        compile(name, "public class Branched { public Branched(int i) {} }");
        compile(
                "odd.Maker",
                "public class Maker implements Runnable { public void run() {"
                        + " new Branched(0); new Branched(1); } }");
        write(name, branched(name.replace('.', '/')));
        try (Measured target = start(jvm)) {
            assertThat(target.on(ROOT)).isEqualTo("on");
            target.program().play("load odd.Maker");
            // Loads the other one, with hooks at once.
            target.program().play("foreign");
            target.program().play("foreign");
            target.off();
            String made = ROOT_CONTEXT + " > odd.Maker.run > odd.Branched.<init>";
            assertThat(target.contexts()).containsEntry(made, 4L);
            assertThat(target.count(CallSnapshot.SKIPPED)).isZero();
            assertThat(target.program().errors()).isEmpty();
        }
    }

    private static ClassWriter branched(String name) {
        ClassWriter writer = new ClassWriter(0);
        writer.visit(Opcodes.V17, Opcodes.ACC_PUBLIC, name, null, "java/lang/Object", null);
        MethodVisitor code = writer.visitMethod(Opcodes.ACC_PUBLIC, "<init>", "(I)V", null, null);
        Label other = new Label();
        Label end = new Label();
        code.visitCode();
        code.visitVarInsn(Opcodes.ILOAD, 1);
        code.visitJumpInsn(Opcodes.IFNE, other);
        code.visitVarInsn(Opcodes.ALOAD, 0);
        code.visitMethodInsn(Opcodes.INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
        code.visitJumpInsn(Opcodes.GOTO, end);
        code.visitLabel(other);
        Object[] before = {Opcodes.UNINITIALIZED_THIS, Opcodes.INTEGER};
        code.visitFrame(Opcodes.F_NEW, 2, before, 0, new Object[0]);
        code.visitMethodInsn(Opcodes.INVOKESTATIC, "java/lang/Thread", "onSpinWait", "()V", false);
        code.visitVarInsn(Opcodes.ALOAD, 0);
        code.visitMethodInsn(Opcodes.INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
        code.visitLabel(end);
        Object[] after = {name, Opcodes.INTEGER};
        code.visitFrame(Opcodes.F_NEW, 2, after, 0, new Object[0]);
        code.visitInsn(Opcodes.RETURN);
        code.visitMaxs(1, 2);
        code.visitEnd();
        writer.visitEnd();
        return writer;
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void aRootThatCannotBeMeasuredIsNotWaitedFor(Path jvm) throws Exception {
        compile("odd.Unread", "public class Unread implements Runnable { public void run() {} }");
        write("odd.Unread", withNonsense(folder.resolve("odd/Unread.class")));
        try (Measured target = start(jvm)) {
            target.program().play("load odd.Unread");
            target.program().play("hide");
            target.program().play("plain");
            target.program().play("foreign");
            assertThat(target.on("odd.Unread::run"))
                    .startsWith("failed: odd.Unread cannot be measured: its class file cannot be");
            assertThat(target.on(Foreign.Veiled.class.getName() + "::run"))
                    .contains("$Veiled/0x")
                    .contains(" is a hidden class, which cannot be changed");
            assertThat(target.on("java.util.ArrayList::add(Object)"))
                    .isEqualTo(
                            "failed: java.util.ArrayList is a class of the JDK; --include"
                                    + " 'java.util.ArrayList' has it measured");
            assertThat(target.on(CallRequest.builder().roots(List.of("ArrayList::size"))))
                    .contains("java.util.ArrayList is a class of");
            assertThat(target.on("java.lang.Thread::run"))
                    .contains("java.lang.Thread cannot be measured: measuring itself needs it");
            assertThat(
                            target.on(
                                    CallRequest.builder()
                                            .roots(List.of(Measured.qualified("Plain::root")))
                                            .excludes(List.of("*Plain"))))
                    .endsWith("$Plain is excluded by --exclude");
            // Whatever was refused, nothing is left of it.
            assertThat(target.on("Plain::root")).isEqualTo("on");
            assertThat(target.change("java.util.ArrayList::size"))
                    .contains("is a class of the JDK");
            target.program().play("plain");
            target.off();
            assertThat(target.calls()).containsEntry("Plain.leaf", 1300L);
        }
    }

    /** An attribute that a JVM does not look at, and others cannot read. */
    private static ClassWriter withNonsense(Path file) throws IOException {
        ClassWriter writer = new ClassWriter(0);
        new ClassReader(Files.readAllBytes(file)).accept(writer, 0);
        writer.visitAttribute(
                new Attribute("RuntimeVisibleAnnotations") {
                    @Override
                    protected ByteVector write(
                            ClassWriter to, byte[] code, int length, int stack, int locals) {
                        return new ByteVector().putShort(0x7FFF).putShort(0x7FFF);
                    }
                });
        return writer;
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void whoIsWaitedForIsSaidWithWhatMayBeMeant(Path jvm) throws Exception {
        compile("late.Cart", "public class Cart implements Runnable { public void run() {} }");
        compile("com.late.Cart", "public class Cart implements Runnable { public void run() {} }");
        try (Measured target = start(jvm)) {
            target.program().play("plain");
            assertThat(target.on("late.Cart::run", "com.shop.CallScenes::plain")).isEqualTo("on");
            assertThat(target.seen().remarks())
                    .containsExactlyInAnyOrder(
                            "late.Cart is not loaded yet",
                            "com.shop.CallScenes is not loaded yet; is it "
                                    + CallScenes.class.getName()
                                    + "?");
            // Its name ends so, and it is another one.
            target.program().play("load com.late.Cart");
            target.program().play("foreign");
            Target.await(
                    "what was loaded meanwhile",
                    () ->
                            target.seen()
                                    .remarks()
                                    .contains("late.Cart is not loaded yet; is it com.late.Cart?"));
            target.program().play("load late.Cart");
            target.program().play("foreign");
            target.off();
            assertThat(target.seen().remarks()).hasSize(1);
            assertThat(target.contexts()).containsOnlyKeys("late.Cart.run");
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void whatExcludedClassesOfOtherLoadersCallBackIsMeasured(Path jvm) throws Exception {
        compile("lib.Callback", "public interface Callback { void called(); }");
        compile("lib.Base", "public abstract class Base implements Callback {}");
        compile(
                "lib.Caller",
                "public class Caller { public static void call(Base base) { base.called(); } }");
        for (String name : List.of("app.Before", "app.After")) {
            compile(
                    name,
                    "public class "
                            + name.substring(4)
                            + " extends lib.Base implements Runnable {"
                            + " public void run() { lib.Caller.call(this); }"
                            + " public void called() {} }");
        }
        try (Measured target = start(jvm)) {
            target.program().play("load app.Before");
            target.program().play("foreign");
            assertThat(
                            target.on(
                                    CallRequest.builder()
                                            .roots(List.of(ROOT))
                                            .excludes(List.of("lib.*"))))
                    .isEqualTo("on");
            target.program().play("load app.After");
            target.program().play("foreign");
            target.off();
            assertThat(target.contexts())
                    .containsEntry(ROOT_CONTEXT + " > app.Before.run > app.Before.called", 1L)
                    .containsEntry(ROOT_CONTEXT + " > app.After.run > app.After.called", 1L)
                    .hasSize(5);
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void classesOfOneNameAreMeasuredTogetherButWhereTheHooksAreHidden(Path jvm) throws Exception {
        compile(
                "app.Twice",
                "public class Twice implements Runnable { public void run() { ran(); }"
                        + " static void ran() { System.out.println(\"it ran\"); } }");
        compile(
                "app.Alone",
                "public class Alone implements Runnable { public void run() { ran(); }"
                        + " static void ran() { System.out.println(\"it ran\"); } }");
        try (Measured target = start(jvm)) {
            target.program().play("load app.Twice");
            target.program().play("hiding app.Alone");
            assertThat(target.on(ROOT)).isEqualTo("on");
            target.program().play("load app.Twice");
            target.program().play("foreign");
            target.off();
            assertThat(target.contexts())
                    .containsEntry(ROOT_CONTEXT, 1L)
                    .containsEntry(ROOT_CONTEXT + " > app.Twice.run", 2L)
                    .containsEntry(ROOT_CONTEXT + " > app.Twice.run > app.Twice.ran", 2L);
            assertThat(target.calls()).doesNotContainKeys("app.Alone.run", "app.Alone.ran");
            assertThat(target.count(CallSnapshot.SKIPPED)).isEqualTo(1);
            assertThat(target.program().output()).containsSubsequence("it ran", "it ran", "it ran");
            assertThat(target.program().errors()).isEmpty();
        }
    }

    /** Not even those of which only the JVM has the code. */
    @ParameterizedTest
    @MethodSource("jvms")
    void aRegionLeavesOtherClassesAlone(Path jvm) throws Exception {
        compile("app.Gone", "public class Gone implements Runnable { public void run() {} }");
        Path changes = Files.createTempFile(folder, "changes", ".txt");
        try (Measured target = start(jvm)) {
            target.program().play("plain");
            target.program().play("load app.Gone");
            Files.delete(folder.resolve("app/Gone.class"));
            target.program().load(Target.agent(folder, ChangeLogger.class), changes.toString());
            CallRequest.Builder request =
                    CallRequest.builder().regions(List.of(Measured.qualified("Plain::leaf")));
            assertThat(target.on(request)).isEqualTo("on");
            assertThat(target.off()).isEqualTo("off");
            assertThat(Files.readAllLines(changes)).containsOnly(CallScenes.Plain.class.getName());
        }
    }
}
