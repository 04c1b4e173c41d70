package dev.heatline.agent.locks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.agent.Target;
import dev.heatline.wire.LockTrace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Classes that cannot be changed are left alone and counted, and the others are traced. */
class SkippedClassesTest {
    private static final String ELSEWHERE = Elsewhere.class.getName();
    private static final String HOOK =
            HexFormat.of().formatHex("LockHooks".getBytes(StandardCharsets.UTF_8));

    /** More than any tool knows, and that of the tests' own classes. */
    private static final int NEW_VERSION = 120;

    private static final int OWN_VERSION = 61;

    @TempDir private Path temp;

    static Stream<Path> jvms() throws IOException {
        return Target.jvms().stream();
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void aClassThatTheJvmDoesNotTakeBack(Path jvm) throws Exception {
        try (Traced target = Traced.start(jvm)) {
            // Before it is spoiled.
            target.program().play("owner elsewhere");
            assertThat(target.on()).isEqualTo("on");
            target.program().load(Target.agent(temp, Spoiler.class), ELSEWHERE);
            assertSkipped(target);
        }
    }

    /** Of which the JVM itself knows what it is. */
    @ParameterizedTest
    @MethodSource("jvms")
    void aClassFileThatIsNewerThanTheTracer(Path jvm) throws Exception {
        Path newer = Target.agent(temp, Newer.class);
        try (Traced target = Traced.start(jvm)) {
            target.program().load(newer, NEW_VERSION + "," + ELSEWHERE);
            assertThat(target.on()).isEqualTo("on");
            target.program().load(newer, OWN_VERSION + "," + ELSEWHERE);
            assertSkipped(target);
            ClassCode code = new ClassCode(temp);
            assertThat(code.all(target, ELSEWHERE)).noneMatch(it -> it.contains(HOOK));
            assertThat(code.all(target, Scenes.class.getName())).allMatch(it -> it.contains(HOOK));
        }
    }

    private static void assertSkipped(Traced target) throws Exception {
        TraceFile trace = target.trace();
        Target.await(
                "it to be skipped",
                () -> {
                    target.program().play("owner elsewhere");
                    trace.beat();
                    trace.poll();
                    return trace.header(LockTrace.CLASSES_SKIPPED) > 0;
                });
        assertThat(trace.header(LockTrace.CLASSES_SKIPPED)).isEqualTo(1);
        assertThat(trace.header(LockTrace.CLASSES_CHANGED)).isGreaterThan(Choice.PARKING.size());
        target.program().play("block");
        trace.poll();
        assertThat(trace.events).anyMatch(event -> event.type() == LockTrace.EXIT);
    }
}
