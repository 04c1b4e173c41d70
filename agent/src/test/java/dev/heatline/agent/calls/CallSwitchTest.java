package dev.heatline.agent.calls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.agent.Target;
import dev.heatline.agent.boot.CallTrees;
import dev.heatline.agent.locks.ClassCode;
import dev.heatline.agent.locks.Spoiler;
import dev.heatline.wire.CallRequest;
import dev.heatline.wire.CallSnapshot;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;

/** What can be asked for, what is refused, and what is left behind. */
class CallSwitchTest {
    @TempDir private Path temp;

    static Stream<Path> jvms() throws IOException {
        return Target.jvms().stream();
    }

    /** A JVM does not verify its own classes, so a wrong one would crash it; here it has to. */
    @ParameterizedTest
    @MethodSource("jvms")
    void theJvmFindsChangedClassesOfTheJdkValid(Path jvm) throws Exception {
        try (Measured target =
                Measured.start(
                        jvm, "-XX:+UnlockDiagnosticVMOptions", "-XX:+BytecodeVerificationLocal")) {
            target.program().play("callbacks");
            assertThat(target.on(true, List.of("java.*", "sun.*"), "Sorted::root")).isEqualTo("on");
            target.program().play("callbacks");
            assertThat(target.off()).isEqualTo("off");
            assertThat(target.seen().counts())
                    .containsEntry(CallSnapshot.SKIPPED, 0L)
                    .hasEntrySatisfying(
                            CallSnapshot.METHODS, many -> assertThat(many).isGreaterThan(1000));
            assertThat(target.calls()).containsEntry("ByValue.compare", 5L);
            assertThat(target.program().errors()).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void rootsThatAreNoneAreExplained(Path jvm) throws Exception {
        try (Measured target = Measured.start(jvm)) {
            target.program().play("plain");
            target.program().play("dispatch");
            assertThat(target.on("Plain::rot"))
                    .startsWith("failed: ")
                    .endsWith("$Plain has no method rot; is it root?");
            assertThat(target.on("Plain::root(int)")).contains("$Plain::root()");
            assertThat(target.on("Plain")).contains("is not a root; write it as");
            assertThat(target.on("Plain::root")).isEqualTo("on");
            assertThat(target.on("Shape::area")).contains("calls are already measured, into /");
            Files.writeString(target.folder().resolve(CallRequest.ALIVE), "4711");
            assertThat(target.on("Shape::area"))
                    .contains("calls are already measured by process 4711, into /")
                    .endsWith("; stop the other tool first");
            assertThat(target.off()).isEqualTo("off");
            assertThat(target.off()).isEqualTo("off");
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void rootsCanBeChangedMeanwhile(Path jvm) throws Exception {
        try (Measured target = Measured.start(jvm)) {
            target.program().play("plain");
            target.program().play("dispatch");
            assertThat(target.change("Plain::root")).contains("no calls are measured there");
            assertThat(target.on("Plain::root")).isEqualTo("on");
            target.program().play("plain");
            assertThat(target.change("Plain::b", "Shape::rot")).contains("has no method rot");
            target.program().play("plain");

            assertThat(target.change("Plain::b", "Shape::root")).isEqualTo("changed");
            target.program().play("plain");
            target.program().play("dispatch");
            assertThat(target.change("Plain::root", "Shape::root")).isEqualTo("changed");
            target.program().play("plain");
            assertThat(target.change("Shape::root")).isEqualTo("changed");
            target.program().play("plain");
            target.program().play("dispatch");
            target.off();
            assertThat(target.contexts())
                    .containsEntry("Plain.root", 300L)
                    .containsEntry("Plain.root > Plain.a", 900L)
                    .containsEntry("Plain.root > Plain.a > Plain.leaf", 900L)
                    .containsEntry("Plain.root > Plain.b", 600L)
                    .containsEntry("Plain.root > Plain.b > Plain.leaf", 3000L)
                    .containsEntry("Plain.b", 200L)
                    .containsEntry("Plain.b > Plain.leaf", 1000L);
            assertThat(target.calls())
                    .containsEntry("Square.area", 20L)
                    .containsEntry("Round.area", 40L)
                    .containsEntry("Shape.area", 20L);
            assertThat(target.program().errors()).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void anotherToolCanEndIt(Path jvm) throws Exception {
        try (Measured target = Measured.start(jvm)) {
            target.program().play("plain");
            assertThat(target.end()).contains("no calls are measured there");
            assertThat(target.on("Plain::root")).isEqualTo("on");
            target.program().play("plain");
            assertThat(target.end()).isEqualTo("off");
            target.program().play("plain");
            assertThat(target.count(CallSnapshot.ENDED)).isEqualTo(1);
            assertThat(target.calls()).containsEntry("Plain.leaf", 1300L);
            assertThat(target.off()).isEqualTo("off");
            assertThat(target.on("Plain::root")).isEqualTo("on");
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void aRootThatIsNotLoadedYetIsWaitedFor(Path jvm) throws Exception {
        try (Measured target = Measured.start(jvm)) {
            assertThat(target.on("Plain::root")).isEqualTo("on");
            assertThat(target.seen().counts()).containsEntry(CallSnapshot.WAITING_ROOTS, 1L);
            target.program().play("plain");
            target.off();
            assertThat(target.seen().counts()).containsEntry(CallSnapshot.WAITING_ROOTS, 0L);
            assertThat(target.calls()).containsEntry("Plain.leaf", 1300L);
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void aRootThatIsNoneWhenItIsLoadedIsExplained(Path jvm) throws Exception {
        try (Measured target = Measured.start(jvm)) {
            assertThat(target.on("Plain::rot")).isEqualTo("on");
            target.program().play("plain");
            target.off();
            assertThat(target.seen().remarks())
                    .singleElement()
                    .asString()
                    .endsWith("$Plain has no method rot; is it root?");
        }
    }

    /** Those that the hooks themselves need, too, of which some are called by them. */
    @ParameterizedTest
    @MethodSource("jvms")
    void everythingWithTheJdk(Path jvm) throws Exception {
        try (Measured target = Measured.start(jvm)) {
            target.program().play("threads");
            assertThat(
                            target.on(
                                    CallRequest.builder()
                                            .roots(List.of(CallRequest.EVERYTHING))
                                            .includes(List.of("java.util.*", "java.lang.*"))
                                            .allocations(true)))
                    .isEqualTo("on");
            target.program().play("threads");
            target.program().play("callbacks");
            // Longer than until the agent calibrates again.
            Target.await("six seconds", () -> target.seen().elapsedNanos() > 6_000_000_000L);
            target.program().play("plain");
            assertThat(target.off()).isEqualTo("off");
            assertThat(target.calls())
                    .containsEntry("Plain.leaf", 4 * 13_000L + 1300L)
                    .containsEntry("ByValue.compare", 5L)
                    .containsKey("java.util.ArrayList.sort");
            assertThat(target.seen().trees())
                    .extracting(CallSnapshot.Tree::thread)
                    .noneMatch(name -> name.startsWith("heatline"));
            assertThat(target.program().errors()).isEmpty();
        }
    }

    /** Where a call begins or ends, and where an object is counted, nothing of that is called. */
    @ParameterizedTest
    @MethodSource("jvms")
    void theJdkIsMeasuredWithSampledTimesAndItsObjects(Path jvm) throws Exception {
        try (Measured target = Measured.start(jvm)) {
            assertThat(
                            target.on(
                                    CallRequest.builder()
                                            .roots(List.of(Measured.qualified("Rounded::root")))
                                            .includes(List.of("java.lang.*"))
                                            .sampled(true)
                                            .survival(true)))
                    .isEqualTo("on");
            target.program().play("rounded");
            assertThat(target.off()).isEqualTo("off");
            assertThat(target.contexts())
                    .containsEntry("Rounded.root", 1L)
                    .containsEntry("Rounded.root > java.lang.Math.floorMod", 100_000L)
                    .containsKey("Rounded.root > java.lang.Math.max")
                    .hasSize(3);
            assertThat(target.program().errors()).isEmpty();
        }
    }

    /** What measuring costs is found out again, by a thread that has ended at the end. */
    @Test
    void whatMeasuresItselfIsNotMeasured() throws Exception {
        try (Measured target = Measured.start(Path.of(System.getProperty("java.home")))) {
            target.on("Plain::root");
            target.program().play("plain");
            Target.await(
                    "a second calibration", () -> target.seen().elapsedNanos() > 11_000_000_000L);
            target.off();
            assertThat(target.seen().trees())
                    .extracting(CallSnapshot.Tree::thread)
                    .containsExactly("main");
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    @Execution(ExecutionMode.CONCURRENT)
    void withoutAReaderItEndsByItself(Path jvm) throws Exception {
        try (Measured target = Measured.start(jvm)) {
            assertThat(target.on("Plain::root")).isEqualTo("on");
            target.program().play("plain");
            Files.delete(target.folder().resolve(CallRequest.ALIVE));
            Target.await("another can begin", () -> target.on("Plain::root").equals("on"));
            target.off();
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void offGivesClassesTheirOwnCodeBack(Path jvm) throws Exception {
        ClassCode code = new ClassCode(temp);
        List<String> names =
                List.of(
                        CallScenes.class.getName(),
                        CallScenes.Plain.class.getName(),
                        CallScenes.Making.class.getName(),
                        "java.util.ArrayList",
                        "java.lang.reflect.Method");
        try (Measured target = Measured.start(jvm)) {
            target.program().play("making");
            target.program().play("callbacks");
            target.program().play("plain");
            List<String> before = code.of(target.program(), names);
            assertThat(
                            target.on(
                                    CallRequest.builder()
                                            .roots(List.of(CallRequest.EVERYTHING))
                                            .includes(List.of("java.util.*"))
                                            .survival(true)))
                    .isEqualTo("on");
            target.program().play("plain");
            List<String> changed = code.of(target.program(), names);
            assertThat(target.off()).isEqualTo("off");
            assertThat(code.of(target.program(), names)).isEqualTo(before);
            // Everything needs no help to be found.
            for (int i = 0; i < names.size() - 1; i++) {
                assertThat(changed.get(i)).isNotEqualTo(before.get(i));
            }
            assertThat(target.on("Plain::root")).isEqualTo("on");
            assertThat(code.of(target.program(), names)).isNotEqualTo(before);
            assertThat(target.off()).isEqualTo("off");
            assertThat(code.of(target.program(), names)).isEqualTo(before);
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void whateverFailsAtTheEndClassesGetTheirOwnCodeBack(Path jvm) throws Exception {
        ClassCode code = new ClassCode(temp);
        List<String> names = List.of(CallScenes.Plain.class.getName());
        Path broken = temp.resolve("broken.class");
        Files.write(broken, failing(CallTrees.class, "isAnyInside"));
        try (Measured target = Measured.start(jvm)) {
            target.program().play("plain");
            List<String> before = code.of(target.program(), names);
            assertThat(target.on("Plain::root")).isEqualTo("on");
            assertThat(code.of(target.program(), names)).isNotEqualTo(before);
            target.program()
                    .load(
                            Target.agent(temp, Replacer.class),
                            CallTrees.class.getName() + "," + broken);
            assertThat(target.off()).isEqualTo("failed: java.lang.OutOfMemoryError");
            assertThat(code.of(target.program(), names)).isEqualTo(before);

            assertThat(target.on("Plain::root")).isEqualTo("on");
            target.program().play("plain");
            Target.await("calls", () -> target.calls().containsKey("Plain.leaf"));
            assertThat(target.calls()).containsEntry("Plain.leaf", 1300L);
            assertThat(target.end()).isEqualTo("failed: java.lang.OutOfMemoryError");
            assertThat(code.of(target.program(), names)).isEqualTo(before);
            assertThat(target.program().errors()).isEmpty();
        }
    }

    /** A class of ours in which a method has no memory. */
    private static byte[] failing(Class<?> type, String failing) throws IOException {
        String file = "/" + type.getName().replace('.', '/') + ".class";
        try (InputStream in = Objects.requireNonNull(type.getResourceAsStream(file))) {
            ClassNode read = new ClassNode();
            new ClassReader(in.readAllBytes()).accept(read, 0);
            for (MethodNode method : read.methods) {
                if (method.name.equals(failing)) {
                    String error = "java/lang/OutOfMemoryError";
                    method.instructions.clear();
                    method.tryCatchBlocks.clear();
                    method.localVariables = null;
                    method.visitTypeInsn(Opcodes.NEW, error);
                    method.visitInsn(Opcodes.DUP);
                    method.visitMethodInsn(Opcodes.INVOKESPECIAL, error, "<init>", "()V", false);
                    method.visitInsn(Opcodes.ATHROW);
                    method.maxStack = 2;
                }
            }
            ClassWriter writer = new ClassWriter(0);
            read.accept(writer);
            return writer.toByteArray();
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void aClassThatAnotherAgentSpoilsIsLeftAsItIs(Path jvm) throws Exception {
        ClassCode code = new ClassCode(temp);
        List<String> others = List.of(CallScenes.Thrower.class.getName());
        try (Measured target = Measured.start(jvm)) {
            target.program().play("plain");
            target.program().play("exceptions");
            List<String> before = code.of(target.program(), others);
            target.program()
                    .load(Target.agent(temp, Spoiler.class), CallScenes.Plain.class.getName());
            assertThat(target.on("Plain::root", "Thrower::root")).isEqualTo("on");
            target.program().play("plain");
            target.program().play("exceptions");
            assertThat(target.off()).isEqualTo("off");
            assertThat(target.count(CallSnapshot.SKIPPED)).isEqualTo(1);
            assertThat(target.calls())
                    .containsEntry("Thrower.thrower", 40L)
                    .doesNotContainKey("Plain.root");
            assertThat(code.of(target.program(), others)).isEqualTo(before);
            assertThat(target.program().errors()).isEmpty();
        }
    }

    /** Both change the same class, and each takes its own back. */
    @ParameterizedTest
    @MethodSource("jvms")
    void locksAreTracedAtTheSameTime(Path jvm) throws Exception {
        ClassCode code = new ClassCode(temp);
        List<String> names =
                List.of(CallScenes.Plain.class.getName(), "java.util.concurrent.locks.LockSupport");
        try (Measured target = Measured.start(jvm)) {
            target.program().play("threads");
            List<String> before = code.of(target.program(), names);
            Path locks = target.program().newFolder();
            assertThat(target.program().tell("locks=on", locks)).isEqualTo("on");
            assertThat(
                            target.on(
                                    CallRequest.builder()
                                            .roots(List.of(Measured.qualified("Plain::root")))
                                            .includes(List.of("java.util.concurrent.locks.*"))))
                    .isEqualTo("on");
            target.program().play("threads");
            assertThat(target.program().tell("locks=off", locks)).isEqualTo("off");
            target.program().play("threads");
            assertThat(target.off()).isEqualTo("off");
            assertThat(target.calls()).containsEntry("Plain.leaf", 2 * 4 * 13_000L);
            assertThat(code.of(target.program(), names)).isEqualTo(before);
            assertThat(target.program().errors()).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void whatIsBeyondTheLimitIsLeftAsItIs(Path jvm) throws Exception {
        try (Measured target = Measured.start(jvm)) {
            target.program().play("plain");
            assertThat(
                            target.on(
                                    CallRequest.builder()
                                            .roots(List.of(Measured.qualified("Plain::root")))
                                            .methods(2)))
                    .isEqualTo("on");
            target.program().play("plain");
            // What is measured anyway is not beyond it.
            assertThat(target.change("Plain::root", "Plain::a")).isEqualTo("changed");
            target.off();
            assertThat(target.seen().remarks())
                    .singleElement()
                    .asString()
                    .matches("[12] methods beyond the limit of 2 are not measured; --methods .*");
            assertThat(target.calls()).hasSize(2).containsEntry("Plain.root", 100L);
            assertThat(target.count(CallSnapshot.METHODS)).isEqualTo(2);
        }
    }

    /** As a runtime may be that was made for one program. */
    @ParameterizedTest
    @MethodSource("jvms")
    void aRuntimeWithoutManagementIsMeasured(Path jvm) throws Exception {
        try (Measured target = Measured.start(jvm, "--limit-modules=java.base,java.instrument")) {
            assertThat(target.on("Plain::root")).isEqualTo("on");
            target.program().play("plain");
            assertThat(target.off()).isEqualTo("off");
            assertThat(target.calls()).containsEntry("Plain.leaf", 1300L);
            assertThat(target.program().errors()).isEmpty();
        }
    }
}
