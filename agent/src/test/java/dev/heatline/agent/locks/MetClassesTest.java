package dev.heatline.agent.locks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.agent.Target;
import dev.heatline.wire.LockTrace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which classes are changed: those that have to do with locks somebody had to wait for. */
class MetClassesTest {
    private static final String SCENES = Scenes.class.getName();
    private static final String ELSEWHERE = Elsewhere.class.getName();

    private static final String HEIR = Heir.class.getName();
    private static final String INHERITED = "java.io.ByteArrayOutputStream";

    @TempDir private Path temp;

    static Stream<Path> jvms() throws IOException {
        return Target.jvms().stream();
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void whereNobodyHasToWaitNothingIsChangedButParking(Path jvm) throws Exception {
        ClassCode code = new ClassCode(temp);
        List<String> names = List.of(SCENES, ELSEWHERE, "java.util.Timer", "java.util.Hashtable");
        try (Traced target = Traced.start(jvm)) {
            List<String> before = code.of(target, names);
            assertThat(target.on()).isEqualTo("on");
            target.program().play("alone");
            assertThat(code.of(target, names)).isEqualTo(before);
            assertThat(target.off()).isEqualTo("off");
            assertThat(target.trace().header(LockTrace.CLASSES_CHANGED))
                    .isEqualTo(Choice.PARKING.size());
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void aClassIsChangedWhenSomebodyIsBlockedInIt(Path jvm) throws Exception {
        ClassCode code = new ClassCode(temp);
        List<String> names = List.of("java.util.Hashtable", SCENES, "java.util.Vector");
        try (Traced target = Traced.start(jvm)) {
            List<String> before = code.of(target, names);
            assertThat(target.on()).isEqualTo("on");
            Target.await(
                    "the table to be changed",
                    () -> {
                        target.program().play("table");
                        return !code.of(target, names).get(0).equals(before.get(0));
                    });
            assertThat(code.of(target, names).get(2)).isEqualTo(before.get(2));
            assertThat(target.off()).isEqualTo("off");
            assertThat(code.of(target, names)).isEqualTo(before);
        }
    }

    /** Nothing but its holding the lock tells that it has to do with it. */
    @ParameterizedTest
    @MethodSource("jvms")
    void anOwnerElsewhereIsAskedForOnceAndSeenLeavingFromThenOn(Path jvm) throws Exception {
        ClassCode code = new ClassCode(temp);
        try (Traced target = Traced.start(jvm)) {
            List<String> before = code.all(target, ELSEWHERE);
            assertThat(target.on()).isEqualTo("on");
            Target.await(
                    "it to be changed",
                    () -> {
                        target.program().play("owner elsewhere");
                        return !code.all(target, ELSEWHERE).equals(before);
                    });
            target.program().play("owner elsewhere");
            assertThat(target.off()).isEqualTo("off");
            assertThat(code.all(target, ELSEWHERE)).isEqualTo(before);
            TraceFile trace = target.trace();
            trace.poll();
            assertThat(owners(trace, LockTrace.OWNER).toList()).contains("holder");
            assertThat(owners(trace, LockTrace.EXIT).toList()).containsOnly("holder");
        }
    }

    /** Threads of that kind in the code elsewhere. */
    private static Stream<String> owners(TraceFile trace, int type) {
        return trace.events.stream()
                .filter(event -> event.type() == type)
                .filter(event -> trace.chain(event).toString().contains(ELSEWHERE + ".hold"))
                .map(event -> Objects.requireNonNull(trace.threads.get(event.thread())));
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void whoNotifiesIsChangedOnceSomebodyWaitsWithAllThatIsNestedInIt(Path jvm) throws Exception {
        ClassCode code = new ClassCode(temp);
        List<String> names = List.of(ELSEWHERE, Elsewhere.Nested.class.getName());
        try (Traced target = Traced.start(jvm)) {
            List<String> before = code.of(target, names);
            assertThat(target.on()).isEqualTo("on");
            Target.await(
                    "both to be changed",
                    () -> {
                        target.program().play("notified elsewhere");
                        return code.of(target, names).stream().noneMatch(before::contains);
                    });
            target.program().play("notified elsewhere");
            assertThat(target.off()).isEqualTo("off");
            assertThat(code.of(target, names)).isEqualTo(before);
            TraceFile trace = target.trace();
            trace.poll();
            // Told when it is notified; the JVM tells it only when the monitor has been left.
            List<Integer> types =
                    trace.events.stream()
                            .filter(event -> event.type() <= LockTrace.REENTERED)
                            .sorted(Comparator.comparingLong(TraceFile.Event::sequence))
                            .map(TraceFile.Event::type)
                            .toList();
            assertThat(types)
                    .containsSubsequence(
                            LockTrace.WAIT, LockTrace.WAITED, LockTrace.EXIT, LockTrace.REENTERED);
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void whatTheClassOfALockInheritsIsChanged(Path jvm) throws Exception {
        try (Traced target = Traced.start(jvm)) {
            ChangeLog log = new ChangeLog(target, temp);
            assertThat(target.on()).isEqualTo("on");
            awaitChange(target, log, HEIR, "lock of an heir");
            assertThat(target.off()).isEqualTo("off");
            assertThat(log.names()).contains(INHERITED);
        }
    }

    /** Much inherits a class of the JDK, and locks something else. */
    @ParameterizedTest
    @MethodSource("jvms")
    void whatTheClassOfAnOwnersCodeInheritsFromTheJdkIsNotChanged(Path jvm) throws Exception {
        try (Traced target = Traced.start(jvm)) {
            ChangeLog log = new ChangeLog(target, temp);
            assertThat(target.on()).isEqualTo("on");
            awaitChange(target, log, HEIR, "owner in an heir");
            assertThat(target.off()).isEqualTo("off");
            assertThat(log.names()).doesNotContain(INHERITED);
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void whatIsOnlyParkedOnIsNotChanged(Path jvm) throws Exception {
        try (Traced target = Traced.start(jvm)) {
            ChangeLog log = new ChangeLog(target, temp);
            assertThat(target.on()).isEqualTo("on");
            target.program().play("parked on");
            // What was met before it is changed with it or before it.
            awaitChange(target, log, "java.util.Hashtable", "table");
            assertThat(target.off()).isEqualTo("off");
            assertThat(log.names()).doesNotContain(HEIR, INHERITED);
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void whoCallsAMethodOfItsOwnNotifyIsNotChanged(Path jvm) throws Exception {
        try (Traced target = Traced.start(jvm)) {
            ChangeLog log = new ChangeLog(target, temp);
            target.program().play("own notify");
            assertThat(target.on()).isEqualTo("on");
            awaitChange(target, log, ELSEWHERE, "notified elsewhere");
            assertThat(target.off()).isEqualTo("off");
            assertThat(log.names()).doesNotContain(Announcer.class.getName());
        }
    }

    private static void awaitChange(Traced target, ChangeLog log, String name, String scene)
            throws IOException {
        Target.await(
                name + " to be changed",
                () -> {
                    target.program().play(scene);
                    return log.names().contains(name);
                });
    }

    /**
     * A loader may have locks, and needs not be able to load one class while it defines another.
     */
    @ParameterizedTest
    @MethodSource("jvms")
    void aLoaderIsAskedByTheTracerAndNotWhileItDefinesAClass(Path jvm) throws Exception {
        String hook = HexFormat.of().formatHex("LockHooks".getBytes(StandardCharsets.UTF_8));
        ClassCode code = new ClassCode(temp);
        try (Traced target = Traced.start(jvm)) {
            assertThat(target.on()).isEqualTo("on");
            TraceFile trace = target.trace();
            Target.await(
                    "loaders to be asked",
                    () -> {
                        target.program().play("block in an own loader");
                        return askedBy(target, LockTrace.TRACER_THREAD) > 2;
                    });
            Target.await(
                    "their classes to be changed",
                    () -> {
                        trace.beat();
                        return code.all(target, ELSEWHERE).stream()
                                .allMatch(it -> it.contains(hook));
                    });
            assertThat(target.off()).isEqualTo("off");
            assertThat(target.program().output()).doesNotContain("asked while defining");
            assertThat(trace.header(LockTrace.CLASSES_SKIPPED)).isZero();
            assertThat(target.program().exit()).isEqualTo(7);
        }
    }

    private static long askedBy(Traced target, String thread) throws IOException {
        return target.program().output().lines().filter(("asked by " + thread)::equals).count();
    }

    /** It is not among the loaded classes yet, and its code was made before. */
    @ParameterizedTest
    @MethodSource("jvms")
    void aClassThatIsBeingDefinedWhenItIsMetIsChangedAfterwards(Path jvm) throws Exception {
        String name = Scenes.InHiding.class.getName();
        try (Traced target = Traced.start(jvm)) {
            ChangeLog log = new ChangeLog(target, temp);
            assertThat(target.on()).isEqualTo("on");
            target.program().load(Target.agent(temp, HoldUp.class), name);
            target.program().play("define once");
            target.program().awaitOutput("held up " + name);
            target.program().play("block");
            target.program().awaitOutput("defined");
            TraceFile trace = target.trace();
            Target.await(
                    "it to be changed",
                    () -> {
                        trace.beat();
                        return log.names().contains(name);
                    });
            assertThat(target.off()).isEqualTo("off");
            assertThat(target.program().exit()).isEqualTo(7);
        }
    }
}
