package dev.heatline.agent.locks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.agent.Target;
import dev.heatline.agent.locks.TraceFile.Event;
import dev.heatline.wire.LockTrace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a trace of a real JVM says about scenes with a known plot. */
class LockTracingTest {
    private static final String SCENES = Scenes.class.getName() + ".";

    static Stream<Path> jvms() throws IOException {
        return Target.jvms().stream();
    }

    private static TraceFile trace(Path jvm, String scene, String... options) throws Exception {
        try (Traced target = Traced.start(jvm, options)) {
            assertThat(target.onWithHooks()).isEqualTo("on");
            target.program().play(scene);
            assertThat(target.off()).isEqualTo("off");
            TraceFile trace = target.trace();
            trace.poll();
            assertThat(trace.state()).isEqualTo(LockTrace.STATE_OFF);
            assertThat(trace.header(LockTrace.DROPPED)).isZero();
            assertThat(target.program().exit()).isEqualTo(7);
            assertThat(target.program().errors()).isEmpty();
            return trace;
        }
    }

    private static List<Event> events(TraceFile trace, int type, String thread) {
        return trace.events.stream()
                .filter(event -> event.type() == type)
                .filter(event -> thread.equals(trace.threads.get(event.thread())))
                .toList();
    }

    private static List<Event> events(TraceFile trace, int type, String thread, long lock) {
        return events(trace, type, thread).stream().filter(event -> event.lock() == lock).toList();
    }

    /** The lock the scene is about; now and then one of the JDK's is contended, too. */
    private static long contendedLock(TraceFile trace) {
        return trace.events.stream()
                .filter(event -> event.type() == LockTrace.ENTER && event.chain() != 0)
                .filter(event -> methods(trace, event).get(0).startsWith(SCENES))
                .findFirst()
                .orElseThrow()
                .lock();
    }

    /** Methods of a call chain without their lines. */
    private static List<String> methods(TraceFile trace, Event event) {
        return trace.chain(event).stream()
                .map(frame -> frame.substring(0, frame.lastIndexOf(':')))
                .toList();
    }

    /** The one contention of a scene: who was blocked entered after the owner was seen leaving. */
    private static void assertContention(TraceFile trace, String owner, int exits) {
        long lock = contendedLock(trace);
        List<Event> enter = events(trace, LockTrace.ENTER, "waiter", lock);
        List<Event> entered = events(trace, LockTrace.ENTERED, "waiter", lock);
        List<Event> exit = events(trace, LockTrace.EXIT, "holder", lock);
        assertThat(enter).hasSize(1);
        assertThat(entered).hasSize(1);
        assertThat(exit).hasSize(exits);
        Event last = exit.get(exits - 1);
        assertThat(methods(trace, last).get(0)).isEqualTo(SCENES + owner);
        // The JVM may be asked for the owner meanwhile, because the code was met just now.
        int asked = events(trace, LockTrace.OWNER, "holder", lock).size();
        long first = enter.get(0).sequence();
        assertThat(first).isEqualTo(1);
        assertThat(entered.get(0).sequence()).isEqualTo(first + asked + exits + 1);
        assertThat(last.sequence()).isBetween(first + exits, entered.get(0).sequence() - 1);
        assertThat(last.nanos()).isBetween(enter.get(0).nanos(), entered.get(0).nanos());
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void theOwnerOfABlockIsSeenLeaving(Path jvm) throws Exception {
        TraceFile trace = trace(jvm, "block");
        assertContention(trace, "inBlock", 1);
        Event enter = events(trace, LockTrace.ENTER, "waiter").get(0);
        assertThat(methods(trace, enter).get(0)).isEqualTo(SCENES + "inBlock");
        assertThat(trace.chain(enter).get(0)).doesNotEndWith(":-1");
        assertThat(trace.lockType(enter)).isEqualTo("java.lang.Object");
    }

    /** Which happens when it is first met, after its lines were looked up. */
    @ParameterizedTest
    @MethodSource("jvms")
    void aClassOfTheJdkThatIsChangedLaterKeepsItsLines(Path jvm) throws Exception {
        try (Traced target = Traced.start(jvm)) {
            assertThat(target.onWithHooks()).isEqualTo("on");
            TraceFile trace = target.trace();
            Target.await(
                    "the chain of a call in changed code",
                    () -> {
                        target.program().play("table");
                        trace.poll();
                        return entersOfTable(trace).stream()
                                        .mapToLong(Event::chain)
                                        .distinct()
                                        .count()
                                > 1;
                    });
            assertThat(target.off()).isEqualTo("off");
            List<List<String>> chains =
                    entersOfTable(trace).stream().map(trace::chain).distinct().toList();
            assertThat(chains).hasSize(1);
            assertThat(chains.get(0).get(0)).startsWith("java.util.Hashtable.get");
        }
    }

    private static List<Event> entersOfTable(TraceFile trace) {
        return events(trace, LockTrace.ENTER, "waiter").stream()
                .filter(it -> trace.lockType(it).equals("java.util.Hashtable"))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void theOwnerOfASynchronizedMethodIsSeenLeaving(Path jvm) throws Exception {
        TraceFile trace = trace(jvm, "method");
        assertContention(trace, "inMethod", 1);
        assertThat(trace.locks.values())
                .extracting(TraceFile.Lock::type)
                .contains(Scenes.class.getName());
        assertContention(trace(jvm, "static method"), "inStaticMethod", 1);
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void anExceptionThatLeavesIsAnExit(Path jvm) throws Exception {
        assertContention(trace(jvm, "throw from block"), "throwFromBlock", 1);
        assertContention(trace(jvm, "throw from method"), "throwFromMethod", 1);
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void aMonitorTakenTwiceIsLeftTwice(Path jvm) throws Exception {
        TraceFile trace = trace(jvm, "recursion");
        assertContention(trace, "recursive", 2);
        assertThat(methods(trace, events(trace, LockTrace.EXIT, "holder").get(0)).get(0))
                .isEqualTo(SCENES + "inBlock");
        assertContention(trace(jvm, "nested"), "nested", 1);
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void exitsOfOneOwnerAtOnePlaceAreToldByTheirLast(Path jvm) throws Exception {
        TraceFile trace = trace(jvm, "many exits");
        List<Event> exits = events(trace, LockTrace.EXIT, "holder", contendedLock(trace));
        assertThat(exits.size()).isLessThan(100);
        assertThat(events(trace, LockTrace.ENTERED, "waiter", contendedLock(trace))).hasSize(1);
        assertThat(exits.stream().sorted(Comparator.comparingLong(Event::sequence)))
                .extracting(Event::nanos)
                .isSorted();
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void aWaitGivesTheMonitorBackAndTakesItAgain(Path jvm) throws Exception {
        TraceFile trace = trace(jvm, "wait");
        Event wait = events(trace, LockTrace.WAIT, "waiter").get(0);
        Event waited = events(trace, LockTrace.WAITED, "waiter").get(0);
        Event reentered = events(trace, LockTrace.REENTERED, "waiter").get(0);
        Event exit = events(trace, LockTrace.EXIT, "main").get(0);
        assertThat(methods(trace, wait).get(0)).isEqualTo(SCENES + "waitForIt");
        assertThat(methods(trace, exit).get(0)).isEqualTo(SCENES + "waitAndNotify");
        assertThat(List.of(wait, waited, exit, reentered))
                .extracting(Event::sequence)
                .isSorted()
                .doesNotHaveDuplicates();
        assertThat(waited.extra()).isZero();
        assertThat(events(trace, LockTrace.WAITED, "timed"))
                .extracting(Event::extra)
                .containsExactly(1L, 1L);
        assertThat(events(trace, LockTrace.REENTERED, "timed")).hasSize(2);
        assertThat(events(trace, LockTrace.REENTERED, "interrupted")).hasSize(1);
    }

    /** The JVM is not asked often enough to know that of each lock. */
    @ParameterizedTest
    @MethodSource("jvms")
    void whoWaitedBeforeTracingBeganIsNotifiedFirst(Path jvm) throws Exception {
        try (Traced target = Traced.start(jvm)) {
            target.program().play("wait early");
            assertThat(target.onWithHooks()).isEqualTo("on");
            target.program().play("wait late and notify");
            assertThat(target.off()).isEqualTo("off");
            TraceFile trace = target.trace();
            trace.poll();
            for (int i = 0; i < 20; i++) {
                List<Event> late = events(trace, LockTrace.WAITED, "late " + i);
                List<Event> early = events(trace, LockTrace.WAIT, "early " + i);
                assertThat(late).hasSize(1);
                assertThat(early).hasSize(1);
                assertThat(late.get(0).lock()).isEqualTo(early.get(0).lock());
                assertThat(late.get(0).sequence()).isGreaterThan(early.get(0).sequence());
            }
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void aParkNamesTheUnparkThatEndedIt(Path jvm) throws Exception {
        TraceFile trace = trace(jvm, "reentrant");
        Event park = events(trace, LockTrace.PARK, "waiter").get(0);
        Event parked = events(trace, LockTrace.PARKED, "waiter").get(0);
        Event unpark =
                events(trace, LockTrace.UNPARK, "main").stream()
                        .filter(event -> event.sequence() == parked.extra())
                        .findFirst()
                        .orElseThrow();
        assertThat(trace.lockType(park))
                .isEqualTo("java.util.concurrent.locks.ReentrantLock$NonfairSync");
        assertThat(trace.threads.get(unpark.extra())).isEqualTo("waiter");
        assertThat(methods(trace, unpark)).contains(SCENES + "reentrant");
        assertThat(methods(trace, parked)).contains(SCENES + "lockAndUnlock");
        assertThat(List.of(park, unpark, parked)).extracting(Event::sequence).isSorted();
        assertOrdersHaveNoGaps(trace);
    }

    private static void assertOrdersHaveNoGaps(TraceFile trace) {
        List<Long> orders =
                trace.events.stream()
                        .filter(event -> event.type() >= LockTrace.PARK)
                        .map(Event::sequence)
                        .sorted()
                        .toList();
        assertThat(orders).isEqualTo(LongStream.rangeClosed(1, orders.size()).boxed().toList());
    }

    /** Those that have virtual threads. */
    static List<Path> newJvms() throws IOException {
        return Target.jvms().stream().filter(jvm -> !jvm.toString().contains("17")).toList();
    }

    @ParameterizedTest
    @MethodSource("newJvms")
    void virtualThreadsAreThreads(Path jvm) throws Exception {
        TraceFile trace = trace(jvm, "virtual");
        List<Event> virtual =
                trace.events.stream()
                        .filter(event -> trace.virtualThreads.contains(event.thread()))
                        .toList();
        assertThat(virtual)
                .filteredOn(event -> event.lock() == contendedLock(trace))
                .extracting(Event::type)
                .filteredOn(type -> type == LockTrace.ENTER || type == LockTrace.ENTERED)
                .hasSize(100);
        assertThat(virtual)
                .filteredOn(event -> event.type() == LockTrace.PARK)
                .hasSizeGreaterThan(0);
        assertThat(events(trace, LockTrace.EXIT, "main")).isNotEmpty();
        assertOrdersHaveNoGaps(trace);
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void aStackThatOverflowsInsideAMonitorStillLeavesIt(Path jvm) throws Exception {
        // Interpreted: compiled code has no call there that could overflow.
        TraceFile trace = trace(jvm, "overflow", "-Xint", "-Xss512k");
        assertThat(events(trace, LockTrace.ENTERED, "waiter", contendedLock(trace))).hasSize(1);
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void aThousandThreadsFitIntoOneTrace(Path jvm) throws Exception {
        TraceFile trace = trace(jvm, "crowd");
        assertThat(trace.events)
                .filteredOn(event -> event.type() == LockTrace.ENTER)
                // A thread that ends takes other locks, the last one when it has no frames.
                .filteredOn(event -> event.chain() != 0)
                .filteredOn(event -> methods(trace, event).get(0).equals(SCENES + "inBlock"))
                .extracting(event -> trace.threads.get(event.thread()))
                .filteredOn(name -> name.startsWith("one of many"))
                .doesNotHaveDuplicates()
                .hasSize(1000);
        assertThat(trace.header(LockTrace.UNFOLLOWED)).isZero();
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void aClassThatCannotSeeTheHooksIsLeftAloneAndCounted(Path jvm) throws Exception {
        try (Traced target = Traced.start(jvm)) {
            assertThat(target.onWithHooks()).isEqualTo("on");
            target.program().play("hidden hooks");
            assertThat(target.program().output()).contains("ran in hiding");
            TraceFile trace = target.trace();
            Target.await(
                    "its loader to be asked",
                    () -> {
                        trace.beat();
                        return trace.header(LockTrace.CLASSES_SKIPPED) == 1;
                    });
            target.off();
            assertThat(target.trace().header(LockTrace.CLASSES_SKIPPED)).isEqualTo(1);
            assertThat(target.trace().header(LockTrace.CLASSES_CHANGED)).isPositive();
        }
    }

    /** Interpreted, so that its stack is seen wherever it is. */
    @ParameterizedTest
    @MethodSource("jvms")
    void anOwnerThatIsLookedUpInAHookIsInTheApplicationsCode(Path jvm) throws Exception {
        try (Traced target = Traced.start(jvm, "-Xint")) {
            assertThat(target.on()).isEqualTo("on");
            target.program().play("leave others");
            target.program().play("leave others");
            assertThat(target.off()).isEqualTo("off");
            TraceFile trace = target.trace();
            trace.poll();
            assertThat(events(trace, LockTrace.OWNER, "owner"))
                    .hasSizeGreaterThan(3)
                    .allMatch(event -> methods(trace, event).toString().contains("leaveAgain"));
            assertThat(trace.methods.values()).noneMatch(method -> method.contains("LockHooks"));
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void theApplicationSeesNothingOfTheAgent(Path jvm) throws Exception {
        try (Traced target = Traced.start(jvm)) {
            target.on();
            target.off();
            target.program().play("look around");
            assertThat(target.program().output())
                    .contains("does not see org.objectweb.asm.ClassReader")
                    .contains("does not see dev.heatline.agent.locks.Locks")
                    .doesNotContain("has thread");
            try (Stream<Path> files = Files.list(target.folder())) {
                assertThat(files)
                        .extracting(file -> file.getFileName().toString())
                        .containsExactlyInAnyOrder("status", "trace");
            }
        }
    }
}
