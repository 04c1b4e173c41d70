package dev.heatline.collector.calls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.model.Profile;
import dev.heatline.model.Resource;
import dev.heatline.wire.CallSnapshot;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Times net of what measuring took, worked out by hand. Everything is in nanoseconds. */
class CallProfileTest {
    private static final double INNER = 20;
    private static final double OUTER = 30;

    private static CallSnapshot snapshot(CallSnapshot.Tree tree) {
        return new CallSnapshot(
                1,
                INNER,
                OUTER,
                Map.of(CallSnapshot.METHODS, 3L),
                List.of(
                        new CallSnapshot.Method("shop.Cart", "total", "()I"),
                        new CallSnapshot.Method("shop.Cart", "price", "(I)I"),
                        new CallSnapshot.Method("shop.Cart", "tax", "(I)I")),
                List.of(tree));
    }

    /** t = 1000 - 20 - 10 * 30 for the root, 50 - 20 for each of the ten that it calls. */
    @Test
    void whatTheHooksTookIsSubtractedFromTheCallAndFromItsCaller() {
        CallSnapshot.Tree tree = new CallSnapshot.Tree("main", 3);
        tree.set(1, 0, 0, 1, 1000, CallSnapshot.Tree.EVERY_CALL);
        tree.set(2, 1, 1, 10, 500, CallSnapshot.Tree.EVERY_CALL);

        assertThat(CallProfile.netNanos(tree, snapshot(tree))).containsExactly(0, 680, 300);

        Profile profile = CallProfile.of(snapshot(tree));
        assertThat(profile.column(Resource.CALLS.name()).orElseThrow().total()).isEqualTo(11);
        assertThat(profile.column("elapsed").orElseThrow().total()).isEqualTo(680 + 10 * 30);
        assertThat(profile.column("measured").orElseThrow().total()).isEqualTo(1500);
        assertThat(profile.provenance().count(CallSnapshot.METHODS)).isEqualTo(3);
    }

    /** What was called is part of what was estimated for the caller. */
    @Test
    void whatIsEstimatedForACallerHasWhatItCalledInIt() {
        CallSnapshot.Tree tree = new CallSnapshot.Tree("main", 4);
        tree.set(1, 0, 0, 1, 0, 5000);
        tree.set(2, 1, 1, 100, 0, 3000);
        tree.set(3, 2, 2, 200, 0, 700);

        assertThat(CallProfile.netNanos(tree, snapshot(tree))).containsExactly(0, 2000, 2300, 700);
        assertThat(CallProfile.of(snapshot(tree)).column("elapsed").orElseThrow().total())
                .isEqualTo(5000);
    }

    @Test
    void whatTakesLessThanMeasuringItTakesNothing() {
        CallSnapshot.Tree tree = new CallSnapshot.Tree("main", 2);
        tree.set(1, 0, 0, 100, 1900, CallSnapshot.Tree.EVERY_CALL);

        assertThat(CallProfile.of(snapshot(tree)).column("elapsed")).isEmpty();
        assertThat(CallProfile.of(snapshot(tree)).column("measured").orElseThrow().total())
                .isEqualTo(1900);
    }
}
