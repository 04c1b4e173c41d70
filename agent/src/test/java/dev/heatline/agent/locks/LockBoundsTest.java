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
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a tracer takes in the application, however many threads and locks that has. */
class LockBoundsTest {
    private static final String CONTENDED = Crowds.class.getName() + "$Contended";
    private static final long FILE_SIZE = LockTrace.HEADER_SIZE + 1024L * LockTrace.BLOCK_SIZE;

    static Stream<Path> jvms() throws IOException {
        return Target.jvms().stream();
    }

    private static List<Event> contended(TraceFile trace, int type) {
        return trace.events.stream()
                .filter(event -> event.type() == type && trace.locks.containsKey(event.lock()))
                .filter(event -> trace.lockType(event).equals(CONTENDED))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void aThousandThreadsAtManyLocksShareOneFileAndAllOwnersAreSeen(Path jvm) throws Exception {
        try (Traced target = Traced.start(jvm)) {
            assertThat(target.onWithHooks()).isEqualTo("on");
            target.program().play("crowd at many locks");
            assertThat(Files.size(target.folder().resolve("trace"))).isEqualTo(FILE_SIZE);
            assertThat(target.mappedBytes()).isEqualTo(FILE_SIZE);
            assertThat(target.off()).isEqualTo("off");
            assertThat(target.mappedBytes()).isZero();

            TraceFile trace = target.trace();
            trace.poll();
            assertThat(contended(trace, LockTrace.ENTER)).hasSize(1000);
            assertThat(contended(trace, LockTrace.ENTERED)).hasSize(1000);
            assertThat(contended(trace, LockTrace.EXIT))
                    .filteredOn(event -> "main".equals(trace.threads.get(event.thread())))
                    .extracting(Event::lock)
                    .doesNotHaveDuplicates()
                    .hasSize(500);
            assertThat(trace.header(LockTrace.UNFOLLOWED)).isZero();
            assertThat(trace.header(LockTrace.DROPPED)).isZero();
            assertThat(target.program().exit()).isEqualTo(7);
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void locksBeyondWhatCanBeFollowedAtOnceAreCounted(Path jvm) throws Exception {
        try (Traced target = Traced.start(jvm)) {
            assertThat(target.onWithHooks()).isEqualTo("on");
            target.program().play("crowd at too many locks");
            target.program().play("block");
            assertThat(target.off()).isEqualTo("off");

            TraceFile trace = target.trace();
            trace.poll();
            assertThat(contended(trace, LockTrace.ENTER)).hasSize(3000);
            assertThat(contended(trace, LockTrace.ENTERED)).hasSize(3000);
            long unfollowed = trace.header(LockTrace.UNFOLLOWED);
            assertThat(unfollowed).isBetween(1L, 1000L);
            assertThat(contended(trace, LockTrace.EXIT))
                    .filteredOn(event -> "main".equals(trace.threads.get(event.thread())))
                    .extracting(Event::lock)
                    .doesNotHaveDuplicates()
                    // Of other locks some may be among those that were not followed.
                    .hasSizeBetween(3000 - (int) unfollowed, 2999);
            // There is room again.
            assertThat(ofObject(trace, LockTrace.EXIT, "holder").chain()).isPositive();
            assertThat(trace.header(LockTrace.DROPPED)).isZero();
            assertThat(target.program().exit()).isEqualTo(7);
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void oldLocksAreForgottenForNewOnes(Path jvm) throws Exception {
        try (Traced target = Traced.start(jvm)) {
            assertThat(target.onWithHooks()).isEqualTo("on");
            target.program().play("block");
            target.program().play("many locks");
            target.program().play("block");
            assertThat(target.off()).isEqualTo("off");

            TraceFile trace = target.trace();
            trace.poll();
            assertThat(contended(trace, LockTrace.WAIT)).hasSize(40_000);
            assertThat(contended(trace, LockTrace.REENTERED)).hasSize(40_000);
            assertThat(trace.header(LockTrace.LOCKS_FORGOTTEN))
                    .isBetween(40_000L - 32 * 1024, 40_000L);
            assertThat(trace.header(LockTrace.UNFOLLOWED)).isZero();
            assertThat(trace.header(LockTrace.DROPPED)).isZero();

            List<Event> seen =
                    trace.events.stream()
                            .filter(event -> "waiter".equals(trace.threads.get(event.thread())))
                            .filter(event -> event.type() == LockTrace.ENTERED)
                            .filter(event -> trace.lockType(event).equals("java.lang.Object"))
                            .toList();
            assertThat(seen).extracting(Event::lock).doesNotHaveDuplicates().hasSize(2);
            assertThat(seen)
                    .extracting(event -> trace.locks.get(event.lock()))
                    .containsOnly(trace.locks.get(seen.get(0).lock()));
            // The first time the JVM may be asked for the owner, too.
            assertThat(seen).extracting(Event::sequence).containsAnyOf(3L).isSubsetOf(3L, 4L);
            assertThat(target.program().exit()).isEqualTo(7);
        }
    }

    /**
     * The tracer forgets all of them when there are too many, and describes anew what comes again.
     */
    @ParameterizedTest
    @MethodSource("jvms")
    void everyChainIsDescribedHoweverManyThereWere(Path jvm) throws Exception {
        try (Traced target = Traced.start(jvm)) {
            assertThat(target.on("blocks=2048")).isEqualTo("on");
            TraceFile trace = target.trace();
            target.program().say("many chains");
            Target.await(
                    "all chains",
                    () -> {
                        trace.beat();
                        return target.program().output().contains("played many chains");
                    });
            assertThat(target.off()).isEqualTo("off");

            trace.poll();
            assertThat(trace.header(LockTrace.DROPPED)).isZero();
            List<Event> parked =
                    trace.events.stream()
                            .filter(event -> event.type() == LockTrace.PARKED)
                            .filter(event -> "walker".equals(trace.threads.get(event.thread())))
                            .sorted(Comparator.comparingLong(Event::sequence))
                            .toList();
            assertThat(parked).hasSize(Paths.CHAINS + Paths.AGAIN);
            for (int i = 0; i < parked.size(); i++) {
                assertThat(path(trace.chain(parked.get(i)))).isEqualTo(i % Paths.CHAINS);
            }
            assertThat(trace.chains).hasSizeGreaterThan(Paths.CHAINS);
            assertThat(target.program().exit()).isEqualTo(7);
        }
    }

    /** The number that a chain of {@link Paths} stands for. */
    private static int path(List<String> chain) {
        int path = 0;
        for (int i = chain.size() - 1; i >= 0; i--) {
            String frame = chain.get(i);
            String method = frame.substring(frame.lastIndexOf('.') + 1, frame.lastIndexOf(':'));
            path =
                    switch (method) {
                        case "zero" -> path << 1;
                        case "one" -> path << 1 | 1;
                        default -> path;
                    };
        }
        return path;
    }

    /** Those that have virtual threads. */
    static List<Path> newJvms() throws IOException {
        return Target.jvms().stream().filter(jvm -> !jvm.toString().contains("17")).toList();
    }

    @ParameterizedTest
    @MethodSource("newJvms")
    void everyThreadIsDescribedHoweverManyThereWere(Path jvm) throws Exception {
        try (Traced target = Traced.start(jvm)) {
            assertThat(target.on("blocks=2048")).isEqualTo("on");
            target.program().play("many virtual threads");
            assertThat(target.off()).isEqualTo("off");

            TraceFile trace = target.trace();
            trace.poll();
            assertThat(trace.header(LockTrace.DROPPED)).isZero();
            assertThat(trace.virtualThreads).hasSizeGreaterThanOrEqualTo(100_000);
            assertThat(trace.events).allMatch(event -> trace.threads.containsKey(event.thread()));
            assertThat(target.program().exit()).isEqualTo(7);
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void aFullTraceLooksAtOneBlockUntilThatIsFreed(Path jvm) throws Exception {
        try (Traced target = Traced.start(jvm)) {
            assertThat(target.on("blocks=16")).isEqualTo("on");
            TraceFile trace = target.trace();
            target.program().play("load");
            awaitFull(trace);
            List<Long> full = trace.fullSerials();

            trace.free(full.get(full.size() - 1));
            awaitDropped(trace, 1000);
            assertThat(trace.hasFreeBlock()).isTrue();

            trace.free(full.get(0));
            awaitFull(trace);
            assertThat(trace.fullSerials())
                    .containsAll(full.subList(1, full.size() - 1))
                    .doesNotContain(full.get(0), full.get(full.size() - 1));
            assertThat(target.program().exit()).isEqualTo(7);
        }
    }

    private static void awaitFull(TraceFile trace) throws IOException {
        Target.await("full", () -> !trace.hasFreeBlock());
        awaitDropped(trace, 100);
    }

    private static void awaitDropped(TraceFile trace, int more) throws IOException {
        long before = trace.header(LockTrace.DROPPED);
        Target.await(
                "events lost",
                () -> {
                    trace.beat();
                    return trace.header(LockTrace.DROPPED) > before + more;
                });
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void aChainOfWhichOuterFramesAreMissingSaysSo(Path jvm) throws Exception {
        try (Traced target = Traced.start(jvm)) {
            assertThat(target.onWithHooks()).isEqualTo("on");
            target.program().play("deep");
            assertThat(target.off()).isEqualTo("off");
            TraceFile trace = target.trace();
            trace.poll();
            Event exit = ofObject(trace, LockTrace.EXIT, "holder");
            Event enter = ofObject(trace, LockTrace.ENTER, "waiter");
            assertThat(trace.chain(exit)).hasSize(128);
            assertThat(trace.cutOffChains).contains(exit.chain()).doesNotContain(enter.chain());
        }
    }

    private static Event ofObject(TraceFile trace, int type, String thread) {
        return trace.events.stream()
                .filter(event -> event.type() == type)
                .filter(event -> thread.equals(trace.threads.get(event.thread())))
                .filter(event -> trace.lockType(event).equals("java.lang.Object"))
                .findFirst()
                .orElseThrow();
    }
}
