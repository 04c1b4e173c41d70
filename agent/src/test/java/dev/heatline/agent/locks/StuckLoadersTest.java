package dev.heatline.agent.locks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.agent.Target;
import dev.heatline.wire.LockTrace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Class loaders that do not come back when they are asked. */
class StuckLoadersTest {
    private static final String ELSEWHERE = Elsewhere.class.getName();
    private static final String HASHTABLE = "java.util.Hashtable";
    private static final String HOOK =
            HexFormat.of().formatHex("LockHooks".getBytes(StandardCharsets.UTF_8));

    @TempDir private Path temp;

    static Stream<Path> jvms() throws IOException {
        return Target.jvms().stream();
    }

    @ParameterizedTest
    @MethodSource("jvms")
    @Execution(ExecutionMode.CONCURRENT)
    void otherClassesAreChangedAndItsOwnAreCountedUntilItComesBack(Path jvm) throws Exception {
        ClassCode code = new ClassCode(temp);
        try (Traced target = Traced.start(jvm)) {
            assertThat(target.on()).isEqualTo("on");
            awaitSkipped(target, "block in a stuck loader", 1);
            // The application's own loader has one of that name, too.
            assertThat(code.all(target, ELSEWHERE)).anyMatch(it -> !it.contains(HOOK));
            awaitHooks(target, code, HASHTABLE, "table");

            target.program().play("let loaders go");
            awaitHooks(target, code, ELSEWHERE, "alone");
            awaitSkipped(target, "alone", 0);
            awaitThreads(target, 1);
            assertThat(target.off()).isEqualTo("off");
            assertThat(code.all(target, ELSEWHERE)).noneMatch(it -> it.contains(HOOK));
            assertThat(target.program().output()).doesNotContain("interrupted");
            assertThat(target.program().exit()).isEqualTo(7);
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    @Execution(ExecutionMode.CONCURRENT)
    void moreThanAFewTakeNoMoreThreadsAndNoMoreTraces(Path jvm) throws Exception {
        ClassCode code = new ClassCode(temp);
        try (Traced target = Traced.start(jvm)) {
            assertThat(target.on()).isEqualTo("on");
            int loaders = Asking.MOST_LEFT + 2;
            for (int i = 1; i <= loaders; i++) {
                awaitSkipped(target, "block in a stuck loader", i);
            }
            awaitThreads(target, Asking.MOST_LEFT + 1);
            awaitHooks(target, code, HASHTABLE, "table");
            assertThat(target.off()).isEqualTo("off");
            awaitThreads(target, Asking.MOST_LEFT);

            assertThat(target.on()).isEqualTo("on");
            awaitSkipped(target, "block in a stuck loader", loaders + 1);
            awaitHooks(target, code, HASHTABLE, "table");
            awaitThreads(target, Asking.MOST_LEFT + 1);
            List<String> said = target.program().output().lines().toList();
            assertThat(Collections.frequency(said, "stuck")).isEqualTo(Asking.MOST_LEFT);
            assertThat(target.off()).isEqualTo("off");
            assertThat(target.program().exit()).isEqualTo(7);
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    @Execution(ExecutionMode.CONCURRENT)
    void aReaderThatDiesIsNoticedMeanwhile(Path jvm) throws Exception {
        try (Traced target = Traced.start(jvm)) {
            assertThat(target.on()).isEqualTo("on");
            awaitSkipped(target, "block in a stuck loader", 1);
            TraceFile trace = target.trace();
            Target.await("off", () -> trace.state() == LockTrace.STATE_OFF);
            awaitThreads(target, 1);
            assertThat(target.program().exit()).isEqualTo(7);
        }
    }

    /** Plays the scene once; classes of other loaders are counted after those of this one. */
    private static void awaitSkipped(Traced target, String scene, int classes) throws IOException {
        TraceFile trace = target.trace();
        target.program().play(scene);
        Target.await(
                classes + " to be skipped",
                () -> {
                    trace.beat();
                    return trace.header(LockTrace.CLASSES_SKIPPED) == classes;
                });
    }

    private static void awaitHooks(Traced target, ClassCode code, String name, String scene)
            throws IOException {
        TraceFile trace = target.trace();
        Target.await(
                name + " to be changed",
                () -> {
                    target.program().play(scene);
                    trace.beat();
                    List<String> all = code.all(target, name);
                    return !all.isEmpty() && all.stream().allMatch(it -> it.contains(HOOK));
                });
    }

    private static void awaitThreads(Traced target, int count) throws IOException {
        TraceFile trace = target.trace();
        Target.await(
                count + " threads",
                () -> {
                    trace.beat();
                    return target.program().threads(LockTrace.TRACER_THREAD).size() == count;
                });
    }
}
