package dev.heatline.agent.locks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.agent.Target;
import dev.heatline.wire.LockTrace;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;

/** On, off, and on again. */
class LockSwitchTest {
    private static final int TIMES = 20;

    @TempDir private Path temp;

    static Stream<Path> jvms() throws IOException {
        return Target.jvms().stream();
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void onAndOffUnderLoadManyTimes(Path jvm) throws Exception {
        try (Traced target = Traced.start(jvm)) {
            target.program().play("load");
            for (int i = 0; i < TIMES; i++) {
                assertThat(target.on()).isEqualTo("on");
                TraceFile trace = target.trace();
                Target.await(
                        "events of all kinds",
                        () -> {
                            trace.beat();
                            trace.poll();
                            return trace.events.stream()
                                    .mapToInt(TraceFile.Event::type)
                                    .boxed()
                                    .toList()
                                    .containsAll(
                                            List.of(
                                                    LockTrace.ENTERED,
                                                    LockTrace.EXIT,
                                                    LockTrace.REENTERED,
                                                    LockTrace.PARKED));
                        });
                assertThat(target.off()).isEqualTo("off");
                assertThat(trace.state()).isEqualTo(LockTrace.STATE_OFF);
            }
            assertThat(target.program().exit()).isEqualTo(7);
            assertThat(target.program().errors()).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void offGivesClassesTheirOwnCodeBack(Path jvm) throws Exception {
        Path listener = Target.agent(temp, Listener.class);
        try (Traced target = Traced.start(jvm)) {
            List<String> names =
                    List.of(
                            Scenes.class.getName(),
                            "java.util.Timer",
                            "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject",
                            "java.util.concurrent.locks.LockSupport");
            List<List<String>> seen = new ArrayList<>();
            seen.add(code(target, listener, names));
            target.on();
            seen.add(code(target, listener, names));
            target.off();
            seen.add(code(target, listener, names));
            assertThat(seen.get(2)).isEqualTo(seen.get(0));
            for (int i = 0; i < names.size(); i++) {
                assertThat(seen.get(1).get(i)).isNotEqualTo(seen.get(0).get(i));
            }
        }
    }

    /** Their code was made while it was on, and they were not there yet when it was taken back. */
    @ParameterizedTest
    @MethodSource("jvms")
    void classesThatAreDefinedWhileItEndsHaveTheirOwnCode(Path jvm) throws Exception {
        Path listener = Target.agent(temp, Listener.class);
        String name = Scenes.InHiding.class.getName();
        String hook = HexFormat.of().formatHex("LockHooks".getBytes(StandardCharsets.UTF_8));
        try (Traced target = Traced.start(jvm)) {
            target.program().play("define");
            for (int i = 0; i < TIMES; i++) {
                assertThat(target.on()).isEqualTo("on");
                assertThat(codes(target, listener, name)).anyMatch(code -> code.contains(hook));
                assertThat(target.off()).isEqualTo("off");
                assertThat(codes(target, listener, name)).noneMatch(code -> code.contains(hook));
            }
        }
    }

    /** Much compiled code goes with a class that everything calls. */
    @ParameterizedTest
    @MethodSource("jvms")
    void classesThatEverythingCallsAreChangedWhenSomebodyIsBlockedInThem(Path jvm)
            throws Exception {
        Path listener = Target.agent(temp, Listener.class);
        List<String> names = List.of("java.util.Hashtable", "java.util.Vector");
        try (Traced target = Traced.start(jvm)) {
            List<String> before = code(target, listener, names);
            target.on();
            assertThat(code(target, listener, names)).isEqualTo(before);
            target.program().play("table");
            Target.await(
                    "the table to be changed",
                    () -> !code(target, listener, names).get(0).equals(before.get(0)));
            assertThat(code(target, listener, names).get(1)).isEqualTo(before.get(1));
            target.off();
            assertThat(code(target, listener, names)).isEqualTo(before);
        }
    }

    private List<String> code(Traced target, Path listener, List<String> names) throws IOException {
        List<String> code = new ArrayList<>();
        for (String name : names) {
            code.addAll(codes(target, listener, name));
        }
        return code;
    }

    /** Of all classes with a name. */
    private List<String> codes(Traced target, Path listener, String name) throws IOException {
        Path answer = Files.createTempFile(temp, "code", ".txt");
        target.program().load(listener, answer + "," + name);
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(answer));
        List<String> codes = new ArrayList<>();
        while (bytes.hasRemaining()) {
            byte[] code = new byte[bytes.getInt()];
            bytes.get(code);
            codes.add(canonical(code));
        }
        return codes;
    }

    /**
     * Without what a JVM itself changes when it changes a class: constants that are not used any
     * more stay, and stack maps go where it does not verify.
     */
    private static String canonical(byte[] bytes) {
        ClassWriter writer = new ClassWriter(0);
        new ClassReader(bytes).accept(writer, ClassReader.SKIP_FRAMES);
        return HexFormat.of().formatHex(writer.toByteArray());
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void onlyWhoBeganATraceEndsIt(Path jvm) throws Exception {
        try (Traced target = Traced.start(jvm)) {
            assertThat(target.on()).isEqualTo("on");
            assertThat(target.offAs(target.otherFolder()))
                    .startsWith("failed: locks are traced since 2")
                    .contains(target.folder().toString());
            assertThat(target.trace().state()).isEqualTo(LockTrace.STATE_ON);
            Path first = target.folder();
            assertThat(target.offAs(first.resolve("../" + first.getFileName()))).isEqualTo("off");
            assertThat(target.trace().state()).isEqualTo(LockTrace.STATE_OFF);

            assertThat(target.on()).isEqualTo("on");
            // Its trace is off, so there is nothing to complain about.
            assertThat(target.offAs(first)).isEqualTo("off");
            assertThat(target.trace().state()).isEqualTo(LockTrace.STATE_ON);
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void classesThatCannotBeRestoredAreCountedAndTheOthersAreRestored(Path jvm) throws Exception {
        Path listener = Target.agent(temp, Listener.class);
        Path spoiler = Target.agent(temp, Spoiler.class);
        List<String> names = List.of("java.util.Timer", "java.util.concurrent.locks.LockSupport");
        try (Traced target = Traced.start(jvm)) {
            List<String> before = code(target, listener, names);
            assertThat(target.on()).isEqualTo("on");
            target.program().load(spoiler, Scenes.class.getName());
            assertThat(target.off()).isEqualTo("off");
            TraceFile trace = target.trace();
            assertThat(trace.state()).isEqualTo(LockTrace.STATE_OFF);
            assertThat(trace.header(LockTrace.CLASSES_NOT_RESTORED)).isEqualTo(1);
            assertThat(code(target, listener, names)).isEqualTo(before);
            target.program().play("block");
            assertThat(target.program().exit()).isEqualTo(7);
        }
    }

    /** Those that can be told to refuse threads. */
    static List<Path> jvmsWithSecurityManager() throws IOException {
        return Target.jvms().stream().filter(jvm -> jvm.toString().contains("17")).toList();
    }

    @ParameterizedTest
    @MethodSource("jvmsWithSecurityManager")
    void whatFailsHalfWayIsTakenBack(Path jvm) throws Exception {
        Path listener = Target.agent(temp, Listener.class);
        List<String> names =
                List.of(
                        Scenes.class.getName(),
                        "java.util.Timer",
                        "java.util.concurrent.locks.LockSupport");
        try (Traced target = Traced.start(jvm, "-Djava.security.manager=allow")) {
            List<String> before = code(target, listener, names);
            target.program().play("no new threads");
            Path folder = target.otherFolder();
            assertThat(target.onIn(folder)).startsWith("failed: ").contains("no new threads");
            target.program().play("new threads");
            assertThat(new TraceFile(folder.resolve("trace")).state())
                    .isEqualTo(LockTrace.STATE_OFF);
            assertThat(code(target, listener, names)).isEqualTo(before);
            assertThat(target.on()).isEqualTo("on");
            assertThat(target.off()).isEqualTo("off");
            assertThat(target.program().exit()).isEqualTo(7);
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void whoComesSecondIsToldSo(Path jvm) throws Exception {
        try (Traced target = Traced.start(jvm)) {
            assertThat(target.on()).isEqualTo("on");
            assertThat(target.on()).startsWith("failed: locks are already traced, since 2");
            assertThat(target.on("blocks=1")).contains("blocks= takes a number from");
            assertThat(target.off()).isEqualTo("off");
            assertThat(target.off()).isEqualTo("off");
            assertThat(target.on("blocks=64")).isEqualTo("on");
            assertThat(Files.size(target.folder().resolve("trace")))
                    .isEqualTo(LockTrace.HEADER_SIZE + 64L * LockTrace.BLOCK_SIZE);
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void whatDoesNotFitIsCounted(Path jvm) throws Exception {
        try (Traced target = Traced.start(jvm)) {
            assertThat(target.on("blocks=4")).isEqualTo("on");
            for (int i = 0; i < 3; i++) {
                target.program().play("crowd");
            }
            TraceFile trace = target.trace();
            assertThat(trace.header(LockTrace.DROPPED)).isPositive();
            trace.poll();
            assertThat(trace.events).isNotEmpty();
            assertThat(target.program().exit()).isEqualTo(7);
        }
    }

    @Test
    void withoutAReaderItEndsByItself() throws Exception {
        List<Traced> targets = new ArrayList<>();
        try {
            for (Path jvm : Target.jvms()) {
                Traced target = Traced.start(jvm);
                targets.add(target);
                target.program().play("load");
                assertThat(target.on()).isEqualTo("on");
            }
            for (Traced target : targets) {
                TraceFile trace = target.trace();
                Target.await("off", () -> trace.state() == LockTrace.STATE_OFF);
                assertThat(target.on()).isEqualTo("on");
                assertThat(target.program().exit()).isEqualTo(7);
            }
        } finally {
            targets.forEach(Traced::close);
        }
    }
}
