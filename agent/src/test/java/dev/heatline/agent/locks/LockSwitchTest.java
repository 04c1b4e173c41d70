package dev.heatline.agent.locks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.agent.Target;
import dev.heatline.wire.LockTrace;
import java.io.IOException;
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
        ClassCode code = new ClassCode(temp);
        try (Traced target = Traced.start(jvm)) {
            List<String> names =
                    List.of(
                            Scenes.class.getName(),
                            "java.util.Timer",
                            "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject",
                            "java.util.concurrent.locks.LockSupport");
            List<List<String>> seen = new ArrayList<>();
            seen.add(code.of(target, names));
            target.onWithHooks("java/util/Timer");
            seen.add(code.of(target, names));
            target.off();
            seen.add(code.of(target, names));
            assertThat(seen.get(2)).isEqualTo(seen.get(0));
            for (int i = 0; i < names.size(); i++) {
                assertThat(seen.get(1).get(i)).isNotEqualTo(seen.get(0).get(i));
            }
        }
    }

    /** By what the JVM itself looks at before it tells anybody of monitors. */
    @ParameterizedTest
    @MethodSource("jvms")
    void offLeavesTheJvmNothingToTell(Path jvm) throws Exception {
        JvmEvents events = JvmEvents.of(jvm);
        try (Traced target = Traced.start(jvm)) {
            assertThat(events.told(target)).isEmpty();
            assertThat(target.on()).isEqualTo("on");
            assertThat(events.told(target)).isEqualTo(JvmEvents.OF_MONITORS);
            assertThat(target.off()).isEqualTo("off");
            assertThat(events.told(target)).isEmpty();
        }
    }

    /** Their code was made while it was on, and they were not there yet when it was taken back. */
    @ParameterizedTest
    @MethodSource("jvms")
    void classesThatAreDefinedWhileItEndsHaveTheirOwnCode(Path jvm) throws Exception {
        ClassCode code = new ClassCode(temp);
        String name = Scenes.InHiding.class.getName();
        String hook = HexFormat.of().formatHex("LockHooks".getBytes(StandardCharsets.UTF_8));
        try (Traced target = Traced.start(jvm)) {
            target.program().play("define");
            for (int i = 0; i < TIMES; i++) {
                assertThat(target.onWithHooks()).isEqualTo("on");
                assertThat(code.all(target, name)).anyMatch(it -> it.contains(hook));
                assertThat(target.off()).isEqualTo("off");
                assertThat(code.all(target, name)).noneMatch(it -> it.contains(hook));
            }
        }
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
        ClassCode code = new ClassCode(temp);
        Path spoiler = Target.agent(temp, Spoiler.class);
        List<String> names = List.of("java.util.Timer", "java.util.concurrent.locks.LockSupport");
        try (Traced target = Traced.start(jvm)) {
            List<String> before = code.of(target, names);
            assertThat(target.onWithHooks("java/util/Timer")).isEqualTo("on");
            target.program().load(spoiler, Scenes.class.getName());
            assertThat(target.off()).isEqualTo("off");
            TraceFile trace = target.trace();
            assertThat(trace.state()).isEqualTo(LockTrace.STATE_OFF);
            assertThat(trace.header(LockTrace.CLASSES_NOT_RESTORED)).isEqualTo(1);
            assertThat(code.of(target, names)).isEqualTo(before);
            target.program().play("block");
            assertThat(target.program().exit()).isEqualTo(7);
        }
    }

    /** What it has to do next is more than it can. */
    @ParameterizedTest
    @MethodSource("jvms")
    void aTraceEndsWhenWhatWatchesItFails(Path jvm) throws Exception {
        ClassCode code = new ClassCode(temp);
        Path breaker = Target.agent(temp, Breaker.class);
        List<String> names = List.of("java.util.concurrent.locks.LockSupport");
        try (Traced target = Traced.start(jvm)) {
            List<String> before = code.of(target, names);
            assertThat(target.on()).isEqualTo("on");
            target.program().load(breaker, "");
            target.program().play("block");
            TraceFile trace = target.trace();
            Target.await(
                    "off",
                    () -> {
                        trace.beat();
                        return trace.state() == LockTrace.STATE_OFF;
                    });
            assertThat(code.of(target, names)).isEqualTo(before);
            assertThat(target.on()).isEqualTo("on");
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
        ClassCode code = new ClassCode(temp);
        List<String> names =
                List.of(
                        "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject",
                        "java.util.concurrent.locks.LockSupport");
        try (Traced target = Traced.start(jvm, "-Djava.security.manager=allow")) {
            List<String> before = code.of(target, names);
            target.program().play("no new threads");
            Path folder = target.otherFolder();
            assertThat(target.onIn(folder)).startsWith("failed: ").contains("no new threads");
            target.program().play("new threads");
            assertThat(new TraceFile(folder.resolve("trace")).state())
                    .isEqualTo(LockTrace.STATE_OFF);
            assertThat(code.of(target, names)).isEqualTo(before);
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
