package dev.heatline.agent.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A tree that is full makes room, and loses nothing but where rare calls came from. */
class CallTreeTest {
    /** As many as every tree may have. */
    private static final int NODES = 256;

    private static final int MADE = -5;
    private static final long WORK_NANOS = 5_000_000;
    private static final CallHooks.Listener NOBODY =
            new CallHooks.Listener() {
                @Override
                public void firstCall(int method) {}

                @Override
                public void reflectiveCall(Object callee) {}
            };

    @AfterEach
    void clear() {
        CallHooks.clear();
    }

    private static CallTree tree(boolean sampled) {
        // No room beyond its own.
        CallHooks.start(NOBODY, 0, -2, 0, sampled);
        return new CallTree("it", sampled);
    }

    private static Map<String, Long> contexts(CallTree tree) {
        long[] places = tree.places();
        Map<Integer, String> names = new HashMap<>(Map.of(0, ""));
        Map<String, Long> calls = new HashMap<>();
        for (int node : CallTree.parentsFirst(places)) {
            String parent = names.get((int) places[node]);
            assertThat(parent).as("parent of %d", node).isNotNull();
            String name = parent + "/" + (int) (places[node] >>> 32);
            names.put(node, name);
            calls.put(name, tree.nodes()[node * CallTree.STRIDE + CallTree.CALLS]);
        }
        return calls;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatIsCalledOftenStaysWhereItIs(boolean sampled) {
        CallTree tree = tree(sampled);
        int root = tree.enter(1);
        for (int i = 0; i < 100_000; i++) {
            int often = tree.enter(2);
            tree.exit(often);
            int rare = tree.enter(1000 + i);
            int below = tree.enter(3);
            tree.exit(below);
            tree.exit(rare);
        }
        tree.exit(root);
        assertThat(contexts(tree)).containsEntry("/1", 1L).containsEntry("/1/2", 100_000L);
        assertThat(tree.size()).isEqualTo(NODES);
        assertThat(tree.unseen()).isZero();
        // What is not there any more was folded, every call once.
        assertThat(contexts(tree).values().stream().mapToLong(Long::longValue).sum())
                .isEqualTo(300_001 - tree.folded());
        assertThat(tree.current).isEqualTo(CallTree.OUTSIDE);
    }

    @Test
    void timeAndObjectsOfWhatIsFoldedAreItsCallers() {
        CallTree tree = tree(false);
        long start = System.nanoTime();
        int root = tree.enter(1);
        long inside = System.nanoTime();
        Random random = new Random(1);
        Deque<Integer> open = new ArrayDeque<>();
        long made = 0;
        for (int i = 0; i < 200_000; i++) {
            if (open.size() < 20 && random.nextBoolean()) {
                open.push(tree.enter(10 + random.nextInt(100)));
                tree.made(MADE - random.nextInt(3), 8);
                made++;
            } else if (!open.isEmpty()) {
                int node = open.pop();
                if (node != 0) {
                    tree.exit(node);
                }
            }
        }
        long leaving = System.nanoTime();
        tree.exit(root);
        long end = System.nanoTime();
        long objects = 0;
        long nanos = 0;
        long[] places = tree.places();
        for (int node : CallTree.parentsFirst(places)) {
            boolean isMade = (int) (places[node] >>> 32) < 0;
            long calls = tree.nodes()[node * CallTree.STRIDE + CallTree.CALLS];
            objects += isMade ? calls : 0;
            nanos += isMade ? 0 : tree.self(node);
        }
        assertThat(tree.folded()).isPositive();
        assertThat(tree.unseen()).isZero();
        assertThat(objects).isEqualTo(made);
        assertThat(nanos).isLessThanOrEqualTo(end - start);
        assertThat(nanos).isGreaterThan((leaving - inside) / 10);
        assertThat(tree.current).isEqualTo(CallTree.OUTSIDE);
    }

    @Test
    void rootsStay() {
        CallTree tree = tree(false);
        int once = tree.enter(7);
        tree.exit(once);
        int root = tree.enter(1);
        for (int i = 0; i < 1000; i++) {
            tree.exit(tree.enter(1000 + i));
        }
        tree.exit(root);
        assertThat(contexts(tree)).containsEntry("/7", 1L).containsEntry("/1", 1L);
        assertThat(tree.folded()).isPositive();
    }

    @Test
    void whereTheThreadIsStaysAndWhatHasNoRoomIsCounted() {
        CallTree tree = tree(false);
        Deque<Integer> open = new ArrayDeque<>();
        for (int i = 0; i < 1000; i++) {
            open.push(tree.enter(1));
        }
        while (!open.isEmpty()) {
            int node = open.pop();
            if (node != 0) {
                tree.exit(node);
            }
        }
        assertThat(contexts(tree)).hasSize(NODES - 1);
        assertThat(tree.unseen()).isEqualTo(1000 - (NODES - 1));
        assertThat(tree.folded()).isZero();
        assertThat(tree.current).isEqualTo(CallTree.OUTSIDE);
    }

    @Test
    void aStackThatRanOutWhereTheCpuClockIsReadTakesNoTimeAway() {
        CallTree tree = tree(false);
        AtomicBoolean runsOut = new AtomicBoolean();
        CallHooks.cpuClocks(
                () -> {
                    if (runsOut.getAndSet(false)) {
                        throw new StackOverflowError();
                    }
                    return 1;
                },
                any -> 1);
        long start = System.nanoTime();
        int root = tree.enter(1);
        tree.exit(tree.enter(2));
        work();
        runsOut.set(true);
        assertThatThrownBy(() -> tree.enter(2)).isInstanceOf(StackOverflowError.class);
        tree.back(root);
        work();
        tree.exit(root);
        long took = System.nanoTime() - start;
        assertThat(tree.self(root)).isBetween(2 * WORK_NANOS, took);
    }

    /** The kernel notices then that a thread has had its share; it would have done so elsewhere. */
    @Test
    void whoHasToWaitWhereTheCpuClockIsReadWaitsWhereItWas() {
        CallTree tree = tree(false);
        CallHooks.cpuClocks(
                () -> {
                    work();
                    return 1;
                },
                any -> 1);
        int root = tree.enter(1);
        for (int i = 0; i < 10; i++) {
            work();
            tree.exit(tree.enter(2));
        }
        tree.exit(root);
        int inside = tree.madeBy(root, 2);
        assertThat(tree.self(root) + tree.self(inside)).isGreaterThan(19 * WORK_NANOS);
    }

    private static void work() {
        long start = System.nanoTime();
        while (System.nanoTime() - start < WORK_NANOS) {
            Thread.onSpinWait();
        }
    }

    @Test
    void objectsWithoutRoomAreCountedAsSuch() {
        CallTree tree = tree(false);
        for (int i = 0; i < NODES; i++) {
            tree.enter(1);
        }
        for (int i = 0; i < 10; i++) {
            tree.made(MADE, 8);
        }
        assertThat(tree.unseenObjects()).isEqualTo(10);
        CallTree all = new CallTree("all", false);
        all.addAll(tree);
        assertThat(all.unseenObjects()).isEqualTo(10);
    }

    /** Each of ten thousand calls makes three, here and in threads that have ended. */
    @Test
    void whatIsInsideOfSampledCallsIsKnown() {
        CallTree tree = tree(true);
        int outer = 0;
        for (int i = 0; i < 10_000; i++) {
            outer = tree.enter(1);
            for (int each = 0; each < 3; each++) {
                tree.exit(tree.enter(2));
            }
            tree.exit(outer);
        }
        SampledTime sampled = tree.sampled(outer, 10_000);
        assertThat(sampled.timed() + sampled.untimed()).isCloseTo(30_000, within(1e-3));
        assertThat(sampled.timed()).isBetween(1_000.0, 29_000.0);
        assertThat(sampled.nanos()).isPositive();

        CallTree all = new CallTree("all", true);
        all.addAll(tree);
        all.addAll(tree);
        SampledTime twice = all.sampled(outer, 20_000);
        assertThat(twice.nanos()).isCloseTo(2 * sampled.nanos(), within(1e-3));
        assertThat(twice.timed()).isCloseTo(2 * sampled.timed(), within(1e-3));
        assertThat(twice.untimed()).isCloseTo(2 * sampled.untimed(), within(1e-3));
    }

    /** Threads that have ended are taken together. */
    @Test
    void timeOfWhatHasNoRoomIsItsCallers() {
        CallTree all = tree(false);
        long nanos = 0;
        long calls = 0;
        for (int i = 0; i < 3; i++) {
            CallTree ended = new CallTree("ended", false);
            int root = ended.enter(1);
            for (int method = 0; method < 200; method++) {
                int node = ended.enter(1000 * i + method + 2);
                ended.made(MADE, 8);
                ended.exit(node);
            }
            ended.exit(root);
            nanos += nanos(ended);
            calls += 201;
            all.addAll(ended);
        }
        assertThat(all.unseen()).isPositive();
        assertThat(all.unseenObjects()).isPositive();
        assertThat(nanos(all)).isEqualTo(nanos);
        long seen = contexts(all).values().stream().mapToLong(Long::longValue).sum();
        assertThat(seen + all.unseen() + all.unseenObjects() + all.folded()).isEqualTo(calls + 600);
    }

    /** Of its contexts, without what they made. */
    private static long nanos(CallTree tree) {
        long nanos = 0;
        long[] places = tree.places();
        for (int node : CallTree.parentsFirst(places)) {
            nanos += places[node] < 0 ? 0 : tree.self(node);
        }
        return nanos;
    }

    @Test
    void othersCanReadMeanwhile() throws Exception {
        CallTree tree = tree(false);
        AtomicBoolean on = new AtomicBoolean(true);
        Thread writer =
                new Thread(
                        () -> {
                            for (int i = 0; on.get(); i++) {
                                int root = tree.enter(1);
                                int rare = tree.enter(1000 + i);
                                tree.exit(tree.enter(2));
                                tree.exit(rare);
                                tree.exit(root);
                            }
                        });
        writer.start();
        try {
            for (int i = 0; i < 20_000; i++) {
                long[] places = tree.places();
                for (int node : CallTree.parentsFirst(places)) {
                    assertThat(places[node] >>> 32).isPositive();
                }
            }
        } finally {
            on.set(false);
            writer.join();
        }
    }
}
