package dev.heatline.agent.calls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.agent.LoadedClasses;
import dev.heatline.agent.Target;
import dev.heatline.agent.boot.CallHooks;
import dev.heatline.agent.calls.CallInsertion.Chosen;
import dev.heatline.agent.calls.CallInsertion.Kind;
import dev.heatline.agent.calls.ClassShape.Signature;
import dev.heatline.agent.locks.ClassCode;
import dev.heatline.wire.CallRequest;
import dev.heatline.wire.CallSnapshot;
import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is timed when measuring ends, and that it leaves nothing behind. */
class RootsAloneTest {
    private static final long MANY = 100_000;

    private static final Instrumentation NOTHING =
            (Instrumentation)
                    Proxy.newProxyInstance(
                            RootsAloneTest.class.getClassLoader(),
                            new Class<?>[] {Instrumentation.class},
                            (proxy, method, arguments) -> {
                                throw new AssertionError(method);
                            });

    @TempDir private Path temp;

    static Stream<Path> jvms() throws IOException {
        return Target.jvms().stream();
    }

    private static CallRequest.Builder plain() {
        return CallRequest.builder()
                .roots(List.of(Measured.qualified("Plain::root")))
                .budget(CallRequest.NO_BUDGET);
    }

    private static void awaitRoots(Measured target) throws IOException {
        Target.await("many calls", () -> target.seen().rootCalls() > MANY);
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void theRootIsTimedAndEverythingIsAsBefore(Path jvm) throws Exception {
        ClassCode code = new ClassCode(temp);
        List<String> names = List.of(CallScenes.Plain.class.getName());
        try (Measured target = Measured.start(jvm)) {
            target.program().play("busy");
            List<String> before = code.of(target.program(), names);
            assertThat(target.on(plain())).isEqualTo("on");
            awaitRoots(target);
            assertThat(target.off()).isEqualTo("off");

            assertThat(target.program().errors()).isEmpty();
            CallSnapshot seen = target.seen();
            assertThat(seen.alone())
                    .as("%s calls, %s ns", seen.rootCalls(), seen.rootsNanos())
                    .hasSize(1);
            CallSnapshot.Alone alone = seen.alone().get(0);
            assertThat(seen.methods().get(alone.method()).name()).isEqualTo("root");
            assertThat(alone.calls()).isGreaterThan(1000);
            double measured = seen.rootsNanos() / seen.rootCalls();
            // Inlined, it takes no longer than reading the clock, which is subtracted.
            assertThat(alone.meanNanos()).isBetween(0.0, measured);

            Map<String, Long> contexts = target.contexts();
            long roots = contexts.getOrDefault("Plain.root", 0L);
            assertThat(contexts)
                    .containsEntry("Plain.root > Plain.a > Plain.leaf", 3 * roots)
                    .containsEntry("Plain.root > Plain.b > Plain.leaf", 10 * roots);
            assertThat(code.of(target.program(), names)).isEqualTo(before);
            assertThat(target.on(plain())).as("again").isEqualTo("on");
        }
    }

    /** Another tool ends it. */
    @ParameterizedTest
    @MethodSource("jvms")
    void theRootIsTimedForOthers(Path jvm) throws Exception {
        try (Measured target = Measured.start(jvm)) {
            target.program().play("busy alone");
            assertThat(target.on(plain().sampled(true))).isEqualTo("on");
            awaitRoots(target);
            assertThat(target.end()).isEqualTo("off");
            assertThat(target.seen().alone()).hasSize(1);
            assertThat(target.count(CallSnapshot.ENDED)).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void aRootThatIsNotCalledAnyMoreIsNotWaitedFor(Path jvm) throws Exception {
        try (Measured target = Measured.start(jvm)) {
            assertThat(target.on(plain())).isEqualTo("on");
            AtomicLong played = new AtomicLong();
            Target.await(
                    "calls that are worth comparing",
                    () -> {
                        for (int i = 0; i < 100; i++) {
                            target.program().say("plain");
                        }
                        target.program().play("outside");
                        played.addAndGet(100);
                        return isWorthComparing(target.seen());
                    });
            assertThat(target.seen().alone()).isEmpty();
            // It comes back although no call comes.
            assertThat(target.off()).isEqualTo("off");
            assertWorthComparing(target.seen());
            assertThat(target.seen().alone()).isEmpty();
            assertThat(target.calls()).containsEntry("Plain.leaf", played.get() * 1300L);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void everythingIsNoRootAndObjectsTakeTime(boolean everything) throws Exception {
        try (Measured target = Measured.start(Target.jvms().get(0))) {
            target.program().play("busy alone");
            CallRequest.Builder request =
                    everything
                            ? CallRequest.builder()
                                    .roots(List.of(CallRequest.EVERYTHING))
                                    .budget(CallRequest.NO_BUDGET)
                            : plain().allocations(true);
            assertThat(target.on(request)).isEqualTo("on");
            awaitRoots(target);
            Target.await("calls worth comparing", () -> isWorthComparing(target.seen()));
            assertThat(target.off()).isEqualTo("off");
            assertWorthComparing(target.seen());
            assertThat(target.seen().alone()).isEmpty();
        }
    }

    /** The hooks took enough of it, so that nothing else keeps roots from being timed alone. */
    private static void assertWorthComparing(CallSnapshot seen) {
        assertThat(isWorthComparing(seen))
                .as(
                        "%s calls, %s ns, %s of it for the hooks",
                        seen.rootCalls(), seen.rootsNanos(), seen.overhead())
                .isTrue();
    }

    private static boolean isWorthComparing(CallSnapshot seen) {
        return seen.rootCalls() >= Measurement.COMPARED_CALLS
                && seen.rootsNanos() >= Measurement.COMPARED_NANOS
                && seen.overhead() >= Measurement.COMPARED_OVERHEAD;
    }

    /** Where nothing can be timed, nothing is waited for. */
    @Test
    void onlyRootsThatWereChangedAreTimed() throws IOException {
        ClassLoader loader = CallScenes.class.getClassLoader();
        String name = LoadedClasses.internalName(CallScenes.Plain.class);
        byte[] code;
        try (InputStream in = loader.getResourceAsStream(name + ".class")) {
            code = Objects.requireNonNull(in).readAllBytes();
        }
        Signature root = new Signature("root", "()I");
        RootsAlone roots =
                new RootsAlone(
                        NOTHING,
                        new LoadedClasses(NOTHING, CallHooks.class),
                        Map.of(name, Map.of(root, new Chosen(5, Kind.ROOT))));

        assertThat(roots.transform(loader, name, null, null, code)).isNull();
        assertThat(roots.transform(null, name, CallScenes.Plain.class, null, code)).isNull();
        assertThat(roots.transform(loader, name, CallScenes.Plain.class, null, new byte[9]))
                .isNull();
        assertThat(roots.isAnyChanged()).isFalse();
        assertThat(roots.transform(loader, name, CallScenes.Plain.class, null, code)).isNotNull();
        assertThat(roots.isAnyChanged()).isTrue();
    }
}
