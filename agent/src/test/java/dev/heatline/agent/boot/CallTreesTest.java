package dev.heatline.agent.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every thread finds its tree, however many come and go. */
class CallTreesTest {
    @BeforeEach
    void open() {
        CallTrees.open(0, false);
    }

    @AfterEach
    void clear() {
        CallTrees.clear();
    }

    /** As a virtual thread does that enters a root again and again. */
    @Test
    void whoGivesItsTreeBackAndGetsOneAgainTakesNoMorePlaces() {
        Thread thread = new Thread(() -> {});
        for (int i = 0; i < 10_000; i++) {
            CallTrees.giveBack(Objects.requireNonNull(CallTrees.add(thread)));
            assertThat(CallTrees.find(thread)).isNull();
        }
        assertThat(CallTrees.taken()).isOne();
    }

    @Test
    void everyThreadFindsItsOwn() {
        List<Thread> threads = new ArrayList<>();
        List<CallTree> trees = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) {
            Thread thread = new Thread(() -> {}, "thread " + i);
            CallTree tree = Objects.requireNonNull(CallTrees.add(thread));
            if (i % 3 == 0) {
                CallTrees.giveBack(tree);
            } else {
                threads.add(thread);
                trees.add(tree);
            }
        }
        for (int i = 0; i < threads.size(); i++) {
            assertThat(CallTrees.find(threads.get(i))).isSameAs(trees.get(i));
        }
    }
}
