package dev.heatline.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.model.ContentionBuilder.Lock;
import dev.heatline.model.ContentionBuilder.Owner;
import dev.heatline.model.ContentionBuilder.Span;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** How many waited, and how much of the time that is. */
class ContentionFiguresTest {

    /** Counted once more in the plainest way: by all rows below each node. */
    @Test
    void everyThreadCountsOnceWhereverItWaited() {
        Random random = new Random(7);
        ProfileBuilder builder = new ProfileBuilder();
        ContentionBuilder contentions = new ContentionBuilder(builder);
        for (int i = 0; i < 300; i++) {
            String one = "Stock" + random.nextInt(4);
            contentions.add(
                    ContentionBuilder.BLOCKED,
                    new Lock("monitor", one, one + "@" + random.nextInt(3)),
                    1L << random.nextInt(30),
                    Consumer.thread("", "worker-" + random.nextInt(12)),
                    CallChain.of(List.of(Consumer.method("A.m" + random.nextInt(5)))),
                    Owner.UNKNOWN,
                    true,
                    new Span(0, 10));
        }
        Profile arranged =
                Contentions.by(
                        builder.build(Provenance.NONE),
                        ContentionAspect.parse("lock-class,lock,duration,blocked-method"));
        Column time = arranged.requireColumn("blocked");
        int[] waiters = new ContentionFigures(arranged).waiters(time);

        for (int node = 0; node < arranged.nodeCount(); node++) {
            Set<Integer> threads = new HashSet<>();
            for (int row = 0; row < time.rows(); row++) {
                if (time.node(row) >= node && time.node(row) < arranged.end(node)) {
                    threads.add(time.thread(row));
                }
            }
            assertThat(waiters[node]).as("node %d", node).isEqualTo(threads.size());
        }
        assertThat(waiters[Profile.ROOT]).isEqualTo(12);
    }

    @Test
    void pressureNeedsTheTimeThatTheProgramRan() {
        Profile none = new ProfileBuilder().build(Provenance.NONE);
        assertThat(new ContentionFigures(none).pressure(1_000_000)).isEmpty();

        Provenance ran = Provenance.NONE.plusCount(Provenance.LOCKS_TRACED_MICROS, 4_000);
        ContentionFigures figures = new ContentionFigures(none.withProvenance(ran));
        assertThat(figures.pressure(1_000_000)).hasValue(0.25);
    }

    /** What was blocked in it would be compared with what ran in the others. */
    @Test
    void oneTraceOfWhichThatIsNotKnownLeavesNoPressure() {
        Provenance traced = Provenance.NONE.withFact(Provenance.COLLECTOR, Provenance.LOCK_TRACER);
        Profile untimed = new ProfileBuilder().build(traced);
        Profile timed =
                untimed.withProvenance(traced.plusCount(Provenance.LOCKS_TRACED_MICROS, 4_000));
        Profile sampled =
                untimed.withProvenance(Provenance.NONE.withFact(Provenance.COLLECTOR, "other"));

        assertThat(pressure(timed, timed, sampled)).hasValue(0.125);
        assertThat(pressure(timed, untimed)).isEmpty();
        assertThat(pressure(Operations.merge(List.of(untimed)), timed)).isEmpty();
        assertThat(pressure(timed, Operations.merge(List.of(untimed, timed)))).isEmpty();
    }

    private static OptionalDouble pressure(Profile... parts) {
        return new ContentionFigures(Operations.merge(List.of(parts))).pressure(1_000_000);
    }
}
