package dev.heatline.agent.calls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.agent.Target;
import dev.heatline.agent.calls.Measured.Seen;
import dev.heatline.wire.CallRequest;
import dev.heatline.wire.CallSnapshot;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Of programs that keep known objects it is known which are alive. */
class SurvivalTest {
    static Stream<Path> jvms() throws IOException {
        return Target.jvms().stream();
    }

    private static Measured start(Path jvm, String root) throws IOException {
        Measured target = Measured.start(jvm, "-XX:+UseCompressedOops");
        target.on(CallRequest.builder().roots(List.of(Measured.qualified(root))).survival(true));
        return target;
    }

    /** One that is noticed. */
    private static void collect(Measured target) throws IOException {
        long before = target.count(CallSnapshot.COLLECTIONS);
        target.program().play("collection");
        Target.await("a collection is seen", () -> target.count(CallSnapshot.COLLECTIONS) > before);
    }

    private static Seen seen(Measured target, String made) throws IOException {
        return Objects.requireNonNull(target.survivors().get(made), made);
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void whatIsKeptIsAliveAndNothingElse(Path jvm) throws Exception {
        try (Measured target = start(jvm, "Keeping::root")) {
            target.program().play("keeping");
            collect(target);
            target.off();
            assertThat(seen(target, "Keeping.root Kept").live()).isEqualTo(1000);
            assertThat(seen(target, "Keeping.root Kept").bytes()).isEqualTo(1000 * 16);
            assertThat(seen(target, "Keeping.root Fragile").live()).isEqualTo(1000);
            assertThat(seen(target, "Keeping.root byte[]").live()).isEqualTo(1000);
            assertThat(seen(target, "Keeping.root byte[]").bytes()).isEqualTo(1000 * 120);
            assertThat(seen(target, "Keeping.root char[][]").live()).isEqualTo(3000);
            assertThat(seen(target, "Keeping.root Dropped").live()).isZero();
            assertThat(seen(target, "Keeping.root Dropped").tracked()).isGreaterThan(1000);
            assertThat(seen(target, "Keeping.root int[]").live()).isZero();
            assertThat(target.survivors().values()).extracting(Seen::undecided).containsOnly(0L);
            assertThat(target.made())
                    .containsEntry("Keeping.root Fragile", "2000 of 32000")
                    .containsEntry("Keeping.root Dropped", "100000 of 1600000");
            assertThat(target.count(CallSnapshot.UNTRACKED)).isZero();
            assertThat(target.program().errors()).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void withoutACollectionNothingIsKnown(Path jvm) throws Exception {
        try (Measured target = start(jvm, "Keeping::root")) {
            target.program().play("keeping");
            target.off();
            Seen kept = seen(target, "Keeping.root Kept");
            // The JVM may collect when it wants to.
            assertThat(kept.live() + kept.undecided()).isEqualTo(1000);
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void whatIsKeptGetsOlderAndWhatIsForgottenGoes(Path jvm) throws Exception {
        try (Measured target = start(jvm, "Keeping::root")) {
            target.program().play("keeping");
            collect(target);
            Set<Integer> young = seen(target, "Keeping.root Kept").ages();
            collect(target);
            collect(target);
            Set<Integer> old = seen(target, "Keeping.root Kept").ages();
            assertThat(old).allMatch(age -> !young.contains(age)).allMatch(age -> age >= 3);

            target.program().play("keeping");
            collect(target);
            Seen kept = seen(target, "Keeping.root Kept");
            assertThat(kept.live()).isEqualTo(2000);
            assertThat(kept.ages()).hasSizeGreaterThan(old.size());

            target.program().play("forgetting");
            collect(target);
            assertThat(seen(target, "Keeping.root Kept").live()).isZero();
        }
    }

    /**
     * Some 6000 of 100,000 are tracked, of which a tenth is kept: three times the error of that.
     */
    @ParameterizedTest
    @MethodSource("jvms")
    void whatIsKeptNowAndThenIsEstimated(Path jvm) throws Exception {
        try (Measured target = start(jvm, "Keeping::some")) {
            target.program().play("keeping some");
            collect(target);
            target.off();
            Seen some = seen(target, "Keeping.some Dropped");
            assertThat(some.tracked()).isBetween(4000L, 12_000L);
            assertThat(some.live()).isBetween(8000L, 12_000L);
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void everyThreadsObjectsAreSeenAfterItsEnd(Path jvm) throws Exception {
        try (Measured target = start(jvm, "Keeping::root")) {
            for (int i = 0; i < 30; i++) {
                target.program().play("keeping in threads");
            }
            Target.await("threads taken together", () -> target.seen().trees().size() == 100);
            collect(target);
            target.off();
            assertThat(seen(target, "Keeping.root Dropped").live()).isZero();
            // Kept, but not tracked by as many as there were: some of a thread may stand for all.
            assertThat(seen(target, "Keeping.root Kept").live()).isEqualTo(120_000);
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void millionsOfObjectsTakeNoMoreThanThereIsRoomForAndNothingIsLeft(Path jvm) throws Exception {
        try (Measured target = start(jvm, "Keeping::millions")) {
            target.program().play("keeping millions");
            target.program().play("instances");
            long during = instances(target, "java.lang.ref.WeakReference");
            assertThat(during).isLessThan(40_000);
            assertThat(instances(target, "dev.heatline.agent.boot.TrackedObjects")).isOne();
            collect(target);
            target.off();
            // All of the last half million, and an array.
            assertThat(seen(target, "Keeping.millions Dropped").live())
                    .isBetween(400_000L, 600_000L);
            target.program().play("instances");
            assertThat(target.program().output()).containsOnlyOnce("TrackedObjects");
            assertThat(instances(target, "java.lang.ref.WeakReference")).isLessThan(during);
        }
    }

    /** As it was printed last. */
    private static long instances(Measured target, String type) throws IOException {
        return Pattern.compile("\\d+: +(\\d+) +\\d+ +" + Pattern.quote(type) + "\\s")
                .matcher(target.program().output())
                .results()
                .mapToLong(found -> Long.parseLong(found.group(1)))
                .reduce((before, last) -> last)
                .orElseThrow();
    }
}
