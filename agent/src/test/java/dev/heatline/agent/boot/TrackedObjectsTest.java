package dev.heatline.agent.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** However many objects are tracked, there is room for so many, and they stand for all. */
class TrackedObjectsTest {
    private static final int MANY = 5 * TrackedObjects.ROOM;

    private final TrackedObjects tracked = new TrackedObjects();
    private final CallTree tree = new CallTree("it", false);
    private final List<Object> kept = new ArrayList<>();
    private int seen;

    /** How many objects each node's tracked ones stand for. */
    private Map<Integer, Long> look() {
        Map<Integer, Long> objects = new HashMap<>();
        seen = 0;
        tracked.look(
                (of, node, collections, some, bytes) -> {
                    seen++;
                    objects.merge(node, some, Long::sum);
                });
        return objects;
    }

    private void keep(int node) {
        Object made = new Object();
        kept.add(made);
        tracked.add(made, tree, node, 1, 0);
    }

    @Test
    void manyAreThinnedOutAndFewAreNot() {
        for (int i = 0; i < 10; i++) {
            keep(3);
        }
        for (int i = 0; i < MANY; i++) {
            keep(1 + i % 2);
        }
        Map<Integer, Long> objects = look();
        assertThat(seen).isBetween(TrackedObjects.ROOM / 4, TrackedObjects.ROOM);
        assertThat(objects).containsEntry(3, 10L);
        assertThat(objects.getOrDefault(1, 0L).doubleValue())
                .isCloseTo(MANY / 2.0, within(0.05 * MANY));
        assertThat(tracked.withoutRoom()).isZero();
        assertThat(kept).hasSize(MANY + 10);
    }

    /** The room of a few that are gone is used up again at once. */
    @Test
    void manyAreThinnedOutThoughAFewAreGone() {
        for (int i = 0; i < 100; i++) {
            tracked.add(new Object(), tree, 1, 1, 0);
        }
        for (int i = 100; i < TrackedObjects.ROOM; i++) {
            keep(1 + i % 2);
        }
        WeakReference<Object> gone = new WeakReference<>(new Object());
        while (!gone.refersTo(null)) {
            System.gc();
        }
        for (int i = 0; i < 1000; i++) {
            keep(3);
        }
        assertThat(tracked.withoutRoom()).isZero();
        assertThat(look()).containsEntry(3, 1000L);
        assertThat(kept).hasSize(TrackedObjects.ROOM - 100 + 1000);
    }

    @Test
    void whatNobodyKeepsIsCollected() {
        keep(1);
        tracked.add(new Object(), tree, 1, 8, 0);
        kept.add(new Object());
        int before = tracked.collections();
        while (tracked.collections() == before) {
            System.gc();
            look();
        }
        assertThat(look()).isEqualTo(Map.of(1, 1L));
        assertThat(tree.objectCounts().gone(1)).isEqualTo(8);
        assertThat(tree.objectCounts().goneTracked(1)).isOne();
        kept.clear();
    }

    @Test
    void whatWasMadeElsewhereIsAliveThereAndGoneThere() {
        keep(1);
        keep(2);
        keep(3);
        tree.addGone(2, 16, 2);
        CallTree other = new CallTree("other", false);
        tracked.move(tree, other, new int[] {0, 0, 5, 6});
        assertThat(look()).isEqualTo(Map.of(5, 1L, 6, 1L));
        assertThat(tree.objectCounts().gone(2)).isZero();
        assertThat(other.objectCounts().gone(5)).isEqualTo(16);
        assertThat(kept).hasSize(3);
    }

    /** A thousand of the only context are all tracked, of more there are fewer and fewer. */
    @Test
    void aContextHasFewerTrackedTheMoreItMakes() {
        ObjectSamples samples = new ObjectSamples(1);
        int chosen = 0;
        long stoodFor = 0;
        for (int i = 0; i < 1_000_000; i++) {
            int weight = samples.count(7, 256, tracked);
            chosen += weight > 0 ? 1 : 0;
            stoodFor += weight;
            assertThat(i >= 1000 || weight == 1).isTrue();
        }
        assertThat(chosen).isBetween(8000, 12_000);
        assertThat((double) stoodFor).isCloseTo(1e6, within(3e4));
        assertThat(samples.made(7)).isEqualTo(1_000_000);
    }
}
