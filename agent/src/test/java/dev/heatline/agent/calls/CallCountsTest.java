package dev.heatline.agent.calls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.agent.Target;
import dev.heatline.wire.CallRequest;
import dev.heatline.wire.CallSnapshot;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Programs whose calls are known are counted exactly. */
class CallCountsTest {
    static Stream<Path> jvms() throws IOException {
        return Target.jvms().stream();
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void everyCallBelowTheRootIsCountedInItsContext(Path jvm) throws Exception {
        try (Measured target = Measured.start(jvm)) {
            target.program().play("plain");
            assertThat(target.on("Plain::root")).isEqualTo("on");
            target.program().play("plain");
            target.program().play("outside");
            assertThat(target.off()).isEqualTo("off");
            target.program().play("plain");
            assertThat(target.contexts())
                    .isEqualTo(
                            Map.of(
                                    "Plain.root", 100L,
                                    "Plain.root > Plain.a", 300L,
                                    "Plain.root > Plain.a > Plain.leaf", 300L,
                                    "Plain.root > Plain.b", 200L,
                                    "Plain.root > Plain.b > Plain.leaf", 1000L));
            assertThat(target.program().errors()).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void whatMethodHandlesCallIsCounted(Path jvm) throws Exception {
        try (Measured target = Measured.start(jvm)) {
            // Once before, so that the handles are older than the measurement.
            target.program().play("handles");
            assertThat(target.on("Handled::root")).isEqualTo("on");
            target.program().play("handles");
            target.off();
            assertThat(target.contexts())
                    .isEqualTo(
                            Map.of(
                                    "Handled.root", 10L,
                                    "Handled.root > Handled.plain", 20L,
                                    "Handled.root > Handled.plain > Plain.leaf", 20L,
                                    "Handled.root > Handled.bound", 10L,
                                    "Handled.root > Handled.<init>", 10L));
            assertThat(target.program().errors()).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void whoSleepsIsNotRunning(Path jvm) throws Exception {
        try (Measured target = Measured.start(jvm)) {
            target.program().play("idle");
            assertThat(target.on("Idle::root")).isEqualTo("on");
            target.program().play("idle");
            target.off();
            Map<String, Long> running = target.runningNanos();
            assertThat(running.get("Idle.sleep")).isBetween(0L, 10_000_000L);
            assertThat(
                            running.getOrDefault("Idle.work", 0L)
                                    + running.getOrDefault("Plain.leaf", 0L))
                    .isBetween(95_000_000L, 110_000_000L);
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void callsUnderWayAtTheEndAreCountedToTheirEnd(Path jvm) throws Exception {
        try (Measured target = Measured.start(jvm)) {
            target.program().play("busy");
            for (int i = 0; i < 5; i++) {
                assertThat(target.on("Plain::root")).isEqualTo("on");
                Target.await("calls", () -> target.calls().containsKey("Plain.leaf"));
                assertThat(target.off()).isEqualTo("off");
                Map<String, Long> seen = target.contexts();
                long roots = seen.getOrDefault("Plain.root", 0L);
                assertThat(seen)
                        .isEqualTo(
                                Map.of(
                                        "Plain.root", roots,
                                        "Plain.root > Plain.a", 3 * roots,
                                        "Plain.root > Plain.a > Plain.leaf", 3 * roots,
                                        "Plain.root > Plain.b", 2 * roots,
                                        "Plain.root > Plain.b > Plain.leaf", 10 * roots));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void bothSchemesCountTheSame(Path jvm) throws Exception {
        for (boolean eager : new boolean[] {false, true}) {
            try (Measured target = Measured.start(jvm)) {
                assertThat(target.on(eager, List.of(), "Plain::root", "Shape::root"))
                        .isEqualTo("on");
                target.program().play("plain");
                target.program().play("dispatch");
                target.off();
                assertThat(target.calls())
                        .containsEntry("Plain.leaf", 1300L)
                        .containsEntry("Square.area", 10L)
                        .containsEntry("Round.area", 20L)
                        .containsEntry("Shape.area", 10L);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void theLazySchemeChangesFewerMethodsAndMissesNoneThatIsCalled(Path jvm) throws Exception {
        String play = CallScenes.class.getName() + "::play";
        List<Map<String, Long>> calls = new ArrayList<>();
        List<Long> methods = new ArrayList<>();
        for (CallRequest.Builder request :
                List.of(
                        CallRequest.builder().roots(List.of(play)),
                        CallRequest.builder().roots(List.of(play)).eager(true),
                        CallRequest.builder().roots(List.of(CallRequest.EVERYTHING)))) {
            try (Measured target = Measured.start(jvm)) {
                List<String> scenes =
                        List.of("plain", "exceptions", "dispatch", "lambdas", "callbacks", "late");
                for (String scene : scenes) {
                    target.program().play(scene);
                }
                // Never played again, but it could be.
                target.program().play("recursion");
                assertThat(target.on(request)).isEqualTo("on");
                for (String scene : scenes) {
                    target.program().play(scene);
                }
                target.program().play("reflection");
                target.off();
                calls.add(target.contexts());
                methods.add(target.count(CallSnapshot.METHODS));
            }
        }
        assertThat(calls.get(0)).isEqualTo(calls.get(1)).hasSizeGreaterThan(30);
        assertThat(calls.get(0)).isEqualTo(calls.get(2));
        assertThat(methods).isSorted().doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void nativeMethodsAreMeasuredWhereTheyAreCalled(Path jvm) throws Exception {
        try (Measured target = Measured.start(jvm)) {
            target.on(false, List.of("java.lang.System"), "Native::root");
            target.program().play("native");
            target.off();
            assertThat(target.contexts())
                    .isEqualTo(
                            Map.of(
                                    "Native.root", 10L,
                                    "Native.root > java.lang.System.identityHashCode", 10L,
                                    "Native.root > java.lang.System.arraycopy", 10L,
                                    "Native.root > Native.done", 10L));
        }
    }

    /** With references of four bytes. */
    @ParameterizedTest
    @MethodSource("jvms")
    void whatIsMadeIsCountedWithItsBytes(Path jvm) throws Exception {
        try (Measured target = Measured.start(jvm, "-XX:+UseCompressedOops")) {
            target.on(
                    CallRequest.builder()
                            .roots(List.of(Measured.qualified("Making::root")))
                            .allocations(true));
            target.program().play("making");
            target.off();
            assertThat(target.made())
                    .isEqualTo(
                            Map.of(
                                    "Making.root Point", "10 of 240",
                                    "Making.root byte[]", "10 of 10160",
                                    "Making.root int[][]", "40 of 1280",
                                    "Making.root java.lang.String[][]", "10 of 240",
                                    "Making.root java.lang.Object[]", "10 of 320",
                                    "Making.point Point", "10 of 240"));
            assertThat(target.contexts())
                    .containsEntry("Making.root > Making.point > Point.<init>", 10L);
            assertThat(target.seen().counts()).containsEntry(CallSnapshot.METHODS, 3L);
            assertThat(target.program().errors()).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void whatIsBeyondTheBudgetIsCountedAllTheSame(Path jvm) throws Exception {
        try (Measured target = Measured.start(jvm)) {
            target.on(
                    CallRequest.builder()
                            .roots(List.of(Measured.qualified("Plain::root")))
                            .budget(0.3));
            target.program().play("busy alone");
            Target.await("methods are counted only", () -> target.count(CallSnapshot.COUNTED) > 0);
            target.off();
            Map<String, Long> seen = target.contexts();
            long roots = seen.getOrDefault("Plain.root", 0L);
            assertThat(seen)
                    .containsEntry("Plain.root > Plain.a > Plain.leaf", 3 * roots)
                    .containsEntry("Plain.root > Plain.b > Plain.leaf", 10 * roots);
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void whenNothingHelpsMeasuringEndsByItself(Path jvm) throws Exception {
        try (Measured target = Measured.start(jvm)) {
            target.on(
                    CallRequest.builder()
                            .roots(List.of(Measured.qualified("Plain::leaf")))
                            .budget(0.01));
            target.program().play("busy alone");
            Target.await("the end", () -> target.count(CallSnapshot.TOO_DEAR) > 0);
            assertThat(target.seen().alone()).isEmpty();
            assertThat(target.on("Plain::root")).isEqualTo("on");
            assertThat(target.off()).isEqualTo("off");
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void whoThrowsIsLeftAndWhoCatchesGoesOn(Path jvm) throws Exception {
        try (Measured target = Measured.start(jvm)) {
            target.on("Thrower::root");
            target.program().play("exceptions");
            target.off();
            String root = "Thrower.root";
            assertThat(target.contexts())
                    .isEqualTo(
                            Map.of(
                                    root,
                                    10L,
                                    root + " > Thrower.middle",
                                    40L,
                                    root + " > Thrower.middle > Thrower.thrower",
                                    40L,
                                    root + " > Thrower.middle > Thrower.after",
                                    20L,
                                    root + " > Thrower.caught",
                                    20L,
                                    root + " > Thrower.last",
                                    40L));
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void constructorsThatThrowBeforeTheirOwnCodeAreLeftToo(Path jvm) throws Exception {
        try (Measured target = Measured.start(jvm)) {
            target.on("Child::root");
            target.program().play("constructors");
            target.off();
            assertThat(target.contexts())
                    .containsEntry("Child.root", 10L)
                    .containsEntry("Child.root > Child.<init>", 10L)
                    .containsEntry("Child.root > Child.<init> > Parent.<init>", 15L)
                    .containsEntry("Child.root > Child.<init> > Parent.<init> > Parent.check", 15L)
                    .containsEntry("Child.root > Child.failed", 5L)
                    .containsEntry("Child.root > Child.done", 10L);
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void recursiveCallsAreContextsOfTheirOwn(Path jvm) throws Exception {
        try (Measured target = Measured.start(jvm)) {
            target.on("Recursive::root");
            target.program().play("recursion");
            target.off();
            assertThat(target.calls())
                    .isEqualTo(Map.of("Recursive.root", 1L, "Recursive.fib", 177L));
            String deepest = "Recursive.root" + " > Recursive.fib".repeat(10);
            assertThat(target.contexts()).containsKey(deepest).doesNotContainKey(deepest + " > ");
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void aStackThatRanOutIsNoReasonToLoseTheContext(Path jvm) throws Exception {
        try (Measured target = Measured.start(jvm)) {
            target.on("Endless::root");
            for (int i = 0; i < 10; i++) {
                target.program().play("overflow");
            }
            target.off();
            assertThat(target.contexts())
                    .containsEntry("Endless.root", 30L)
                    .containsEntry("Endless.root > Endless.survived", 60L);
            assertThat(target.program().errors()).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void lambdasAndMethodReferencesAreFollowed(Path jvm) throws Exception {
        try (Measured target = Measured.start(jvm)) {
            target.program().play("lambdas");
            target.on("Lambda::root");
            target.program().play("lambdas");
            target.off();
            assertThat(target.calls())
                    .containsEntry("Lambda.squared", 10L)
                    .containsEntry("Lambda.root", 10L)
                    .containsEntry("Lambda.doubled", 10L)
                    .containsEntry("Lambda.tripled", 10L);
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void classesLoadedLaterAreMeasuredWithTheirInitialisers(Path jvm) throws Exception {
        try (Measured target = Measured.start(jvm)) {
            target.on("Late::root");
            target.program().play("late");
            target.off();
            assertThat(target.calls())
                    .containsEntry("Late.root", 10L)
                    .containsEntry("LoadedFirst.<clinit>", 1L)
                    .containsEntry("LoadedFirst.start", 1L)
                    .containsEntry("LoadedFirst.<init>", 5L)
                    .containsEntry("LoadedFirst.run", 5L)
                    .containsEntry("LoadedSecond.run", 5L)
                    .containsEntry("LoadedSecond.helped", 5L);
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void whatReflectionCallsIsMeasured(Path jvm) throws Exception {
        try (Measured target = Measured.start(jvm)) {
            target.on("Reflective::root");
            target.program().play("reflection");
            target.off();
            assertThat(target.contexts())
                    .isEqualTo(
                            Map.of(
                                    "Reflective.root", 10L,
                                    "Reflective.root > Named.greet", 10L,
                                    "Reflective.root > Named.greet > Named.name", 10L));
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void whatTheJdkCallsBackIsMeasured(Path jvm) throws Exception {
        try (Measured target = Measured.start(jvm)) {
            target.on("Sorted::root");
            target.program().play("callbacks");
            target.off();
            assertThat(target.calls()).containsEntry("ByValue.compare", 5L);
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void classesOfTheJdkAreMeasuredWhenAskedFor(Path jvm) throws Exception {
        try (Measured target = Measured.start(jvm)) {
            // Loading a class is done by classes of the JDK, too.
            target.program().play("callbacks");
            target.on(false, List.of("java.util.*"), "Sorted::root");
            target.program().play("callbacks");
            target.off();
            assertThat(target.contexts())
                    .containsEntry("Sorted.root", 1L)
                    .containsEntry("Sorted.root > java.util.ArrayList.sort", 1L)
                    .containsEntry("Sorted.root > java.util.ArrayList.get", 1L);
            assertThat(target.calls()).containsEntry("ByValue.compare", 5L);
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void everyThreadIsCounted(Path jvm) throws Exception {
        try (Measured target = Measured.start(jvm)) {
            target.on("Plain::root");
            target.program().play("threads");
            target.off();
            assertThat(target.calls()).containsEntry("Plain.leaf", 4 * 13_000L);
            assertThat(target.seen().trees())
                    .extracting(CallSnapshot.Tree::thread)
                    .containsExactlyInAnyOrder("worker 0", "worker 1", "worker 2", "worker 3");
        }
    }

    /** They use a tree one after the other. */
    @Test
    void virtualThreadsAreCountedTogether() throws Exception {
        try (Measured target = Measured.start(Path.of(System.getProperty("java.home")))) {
            target.on("Plain::root");
            for (int i = 0; i < 10; i++) {
                target.program().play("virtual");
            }
            target.off();
            assertThat(target.calls()).containsEntry("Plain.leaf", 10L * 200 * 130);
            assertThat(target.seen().trees())
                    .hasSizeLessThanOrEqualTo(200)
                    .extracting(CallSnapshot.Tree::thread)
                    .containsOnly("virtual threads");
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void threadsThatEndedAreNotForgotten(Path jvm) throws Exception {
        try (Measured target = Measured.start(jvm)) {
            target.on("Plain::root");
            for (int i = 0; i < 60; i++) {
                target.program().play("threads");
            }
            Target.await("threads taken together", () -> target.seen().trees().size() == 100);
            target.off();
            assertThat(target.calls()).containsEntry("Plain.leaf", 60 * 4 * 13_000L);
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void againAndAgain(Path jvm) throws Exception {
        try (Measured target = Measured.start(jvm)) {
            for (int i = 0; i < 10; i++) {
                assertThat(target.on("Plain::root")).isEqualTo("on");
                target.program().play("plain");
                assertThat(target.off()).isEqualTo("off");
                assertThat(target.calls()).containsEntry("Plain.leaf", 1300L);
            }
            assertThat(target.program().errors()).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void whoIsStillInsideHasTakenItsTimeAlready(Path jvm) throws Exception {
        try (Measured target = Measured.start(jvm)) {
            long start = System.nanoTime();
            assertThat(target.on("Blocked::root")).isEqualTo("on");
            target.program().play("blocking");
            Target.await(
                    "two seconds",
                    () -> target.selfNanos().getOrDefault("Blocked.rest", 0L) > 2_000_000_000L);
            target.off();
            long rest = target.selfNanos().getOrDefault("Blocked.rest", 0L);
            assertThat(rest).isBetween(2_000_000_000L, System.nanoTime() - start);
            assertThat(target.runningNanos().get("Blocked.rest")).isBetween(0L, rest / 10);
            assertThat(target.contexts())
                    .isEqualTo(
                            Map.of(
                                    "Blocked.root", 1L,
                                    "Blocked.root > Plain.leaf", 1L,
                                    "Blocked.root > Blocked.rest", 1L));
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void aThreadThatDiesInsideHasLeftEverything(Path jvm) throws Exception {
        try (Measured target = Measured.start(jvm)) {
            assertThat(target.on("Dying::root")).isEqualTo("on");
            target.program().play("dying");
            target.off();
            assertThat(target.contexts())
                    .isEqualTo(Map.of("Dying.root", 1L, "Dying.root > Dying.last", 3L));
            assertThat(target.selfNanos().get("Dying.last"))
                    .isBetween(60_000_000L, target.seen().elapsedNanos());
        }
    }

    /** The JDK's, of which no class is extended, and one that may be. */
    @ParameterizedTest
    @MethodSource("jvms")
    void nativeMethodsOfObjectsAreMeasuredWhereNothingOverridesThem(Path jvm) throws Exception {
        try (Measured target = Measured.start(jvm)) {
            CallRequest.Builder request =
                    CallRequest.builder()
                            .roots(
                                    List.of(
                                            Measured.qualified("Types::root"),
                                            Measured.qualified("Unlinked::root")))
                            .includes(List.of("java.lang.Class"));
            assertThat(target.on(request)).isEqualTo("on");
            target.program().play("types");
            target.program().play("unlinked");
            Target.await("a snapshot", () -> target.calls().containsKey("Unlinked.root"));
            assertThat(target.contexts())
                    .isEqualTo(
                            Map.of(
                                    "Types.root", 1L,
                                    "Types.root > java.lang.Class.isInstance", 10L,
                                    "Unlinked.root", 1L,
                                    "Unlinked.root > Unlinked.work", 10L));
            // From then on it may be another method that is called there.
            long[] roots = {1};
            Target.await(
                    "calls of what overrides it and of nothing else",
                    () -> {
                        long before = work(target, "Unlinked.root > Unlinked.work");
                        target.program().play("linked");
                        long now = ++roots[0];
                        Target.await("a snapshot", () -> work(target, "Unlinked.root") == now);
                        return work(target, "Unlinked.root > Linked.work") > 0
                                && work(target, "Unlinked.root > Unlinked.work") == before;
                    });
            target.off();
            assertThat(target.program().errors()).isEmpty();
        }
    }

    private static long work(Measured target, String context) throws IOException {
        return target.contexts().getOrDefault(context, 0L);
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void exceptionsAndRecursionInSeveralThreadsAtOnceAreExact(Path jvm) throws Exception {
        try (Measured target = Measured.start(jvm)) {
            assertThat(target.on("Thrower::root", "Recursive::root", "Down::root")).isEqualTo("on");
            target.program().play("everything at once");
            target.off();
            assertThat(target.calls())
                    .isEqualTo(
                            Map.of(
                                    "Thrower.root", 4000L,
                                    "Thrower.middle", 16_000L,
                                    "Thrower.thrower", 16_000L,
                                    "Thrower.after", 8000L,
                                    "Thrower.caught", 8000L + 400,
                                    "Thrower.last", 16_000L,
                                    "Recursive.root", 400L,
                                    "Recursive.fib", 400L * 177,
                                    "Down.root", 400L,
                                    "Down.down", 400L * 501));
            String deepest = "Down.root" + " > Down.down".repeat(501);
            assertThat(target.contexts())
                    .containsEntry(deepest, 400L)
                    .containsEntry("Down.root > Thrower.caught", 400L);
            assertThat(target.program().errors()).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void streamsAreMeasuredWithAndWithoutTheJdk(Path jvm) throws Exception {
        for (List<String> includes : List.of(List.<String>of(), List.of("java.util.*"))) {
            try (Measured target = Measured.start(jvm)) {
                // On a busy machine, nothing is too late or too dear.
                CallRequest.Builder request =
                        CallRequest.builder()
                                .roots(List.of(Measured.qualified("Streams::root")))
                                .includes(includes)
                                .eager(!includes.isEmpty())
                                .budget(CallRequest.NO_BUDGET);
                assertThat(target.on(request)).isEqualTo("on");
                for (int i = 0; i < 3; i++) {
                    target.program().play("streams");
                }
                target.off();
                // What other threads do of it is in no root.
                assertThat(target.calls())
                        .containsEntry("Streams.root", 3L)
                        .containsEntry("Streams.isEven", 300L)
                        .hasEntrySatisfying(
                                "Streams.squared",
                                calls -> assertThat(calls).isBetween(150L, 450L));
                assertThat(target.count(CallSnapshot.SKIPPED)).isZero();
                assertThat(target.program().errors()).isEmpty();
            }
        }
    }
}
