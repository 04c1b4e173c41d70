package dev.heatline.collector.calls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.collector.jvm.Jvm;
import dev.heatline.collector.jvm.Target;
import dev.heatline.model.Column;
import dev.heatline.model.Profile;
import dev.heatline.model.Provenance;
import dev.heatline.model.Resource;
import dev.heatline.wire.CallRequest;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A real program of short calls, which says itself what its root takes without being measured. */
class RootComparisonTest {
    private static final int WINDOWS = 5;

    private static final int ATTEMPTS = 6;
    private static final double UNSTEADY = 0.03;

    /** Of a machine that changes its pace so much nothing can be said. */
    private static final double UNKNOWN = 1.2;

    /** Of what a root takes. */
    private static final double ACCURACY = 0.1;

    /** 2 F(15) - 1 of the recursion, one of each shape. */
    private static final long CALLS_OF_ROOT = 2 * 610 - 1 + 1000;

    static List<Path> jvms() {
        return Target.jvms();
    }

    /** How long the root ran since now, by the program's own clock of CPU time. */
    private static double tookSince(Target target, int windows) {
        int before = said(target).length;
        double[] all =
                Target.await(
                        "it says what its root takes",
                        () ->
                                Optional.of(said(target))
                                        .filter(said -> said.length >= before + windows + 1));
        double[] last = Arrays.copyOfRange(all, before + 1, before + 1 + windows);
        Arrays.sort(last);
        return last[last.length / 2];
    }

    private static double[] said(Target target) {
        return target.output()
                .lines()
                .filter(line -> line.matches("took [0-9.]+"))
                .mapToDouble(line -> Double.parseDouble(line.substring(5)))
                .toArray();
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void aRootIsSaidToTakeAsLongAsWithoutBeingMeasured(Path jvm) {
        try (Target target = Target.flurry(jvm)) {
            tookSince(target, WINDOWS);
            double before;
            double after;
            Profile measured;
            int attempt = 0;
            do {
                before = tookSince(target, WINDOWS);
                measured = measured(target.jvmThatSaid("took"));
                after = tookSince(target, WINDOWS);
                attempt++;
                // Where the machine itself became slower or faster meanwhile, the truth is
                // somewhere between both.
            } while (attempt < ATTEMPTS && Math.abs(after - before) > UNSTEADY * before);
            double least = Math.min(before, after);
            double most = Math.max(before, after);

            assertThat(most).as("after %d attempts", attempt).isLessThan(UNKNOWN * least);
            assertThat(total(measured, CallProfile.MEASURED)).isGreaterThan(3 * most);
            String known = measured.provenance().fact(Provenance.ROOTS_ALONE);
            assertThat(known).contains("Flurry.root runs for ", "is subtracted below it");
            // What other programs take of the CPUs is in the elapsed time.
            assertThat(total(measured, CallProfile.RUNNING))
                    .as("before %.0f, after %.0f; %s", before, after, known)
                    .isBetween(least * (1 - ACCURACY), most * (1 + ACCURACY));
            long calls = measured.column(Resource.CALLS.name()).orElseThrow().total();
            assertThat(calls % roots(measured)).isZero();
            assertThat(calls / roots(measured)).isEqualTo(1 + CALLS_OF_ROOT);
        }
    }

    private static Profile measured(Jvm jvm) {
        CallRequest request =
                CallRequest.builder()
                        .roots(List.of("Flurry::root"))
                        .budget(CallRequest.NO_BUDGET)
                        .build();
        try (CallWatch watch = CallWatch.start(jvm, Target.AGENT, request)) {
            Target.await(
                    "the changed code is compiled",
                    () -> {
                        watch.look();
                        return Optional.of(true)
                                .filter(_ -> watch.remarks().toString().contains("as much time"));
                    });
            long start = watch.seen().elapsedNanos();
            Target.await(
                    "a second more",
                    () -> {
                        watch.look();
                        return Optional.of(true)
                                .filter(_ -> watch.seen().elapsedNanos() - start > 1_000_000_000L);
                    });
            watch.stop();
            return watch.take();
        }
    }

    /** For each call of the root. */
    private static double total(Profile profile, Resource resource) {
        return (double) profile.column(resource.name()).map(Column::total).orElse(0L)
                / roots(profile);
    }

    private static long roots(Profile profile) {
        Column calls = profile.column(Resource.CALLS.name()).orElseThrow();
        long roots = 0;
        for (int row = 0; row < calls.rows(); row++) {
            int consumer = profile.consumer(calls.node(row));
            roots += profile.consumerAt(consumer).name().equals("root") ? calls.value(row) : 0;
        }
        return roots;
    }
}
