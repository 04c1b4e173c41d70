package dev.heatline.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class HotTreeTest {
    private static final double PHI = 0.02;
    private static final double EPSILON = PHI / 5;

    /** Zipf-like: few contexts are hot, very many are seen once. */
    private static List<Consumer> stack(Random random) {
        int context = (int) (1 / (random.nextDouble() + 1e-5));
        List<Consumer> stack = new ArrayList<>();
        for (int rest = context; rest > 0; rest /= 7) {
            stack.add(Consumer.method("m" + rest % 7));
        }
        return stack;
    }

    @Property(tries = 20)
    void allHotContextsAreFoundAndNoneThatIsFarFromHot(@ForAll long seed) {
        Random random = new Random(seed);
        HotTree tree = new HotTree(PHI, EPSILON, Resource.SAMPLES);
        Map<List<Consumer>, Long> exact = new HashMap<>();
        int n = 20_000;
        for (int i = 0; i < n; i++) {
            List<Consumer> stack = stack(random);
            tree.add(stack, 1);
            exact.merge(stack, 1L, Long::sum);
        }
        Profile hot = tree.hot();
        long[] counts = Trees.samples(hot).self(hot.nodeCount());
        Map<List<Consumer>, Long> found = new HashMap<>();
        for (int node = 1; node < counts.length; node++) {
            if (counts[node] > 0 && !hot.consumerOf(node).equals(Consumer.PRUNED)) {
                found.put(hot.path(node), counts[node]);
            }
        }
        exact.forEach(
                (stack, count) -> {
                    if (count >= PHI * n) {
                        assertThat(found).containsKey(stack);
                    }
                });
        found.forEach(
                (stack, count) -> {
                    long truth = exact.getOrDefault(stack, 0L);
                    assertThat(count).isLessThanOrEqualTo(truth);
                    assertThat(truth - count).isLessThanOrEqualTo((long) (EPSILON * n));
                });
        assertThat(Trees.samples(hot).total()).as("nothing is lost").isEqualTo(n);
        assertThat(tree.total()).isEqualTo(n);
    }

    @Test
    void memoryStaysBoundedHoweverLongTheStream() {
        Random random = new Random(1);
        HotTree tree = new HotTree(PHI, EPSILON, Resource.SAMPLES);
        int largest = 0;
        for (int i = 0; i < 200_000; i++) {
            tree.add(stack(random), 1);
            largest = Math.max(largest, tree.size());
        }
        assertThat(largest).isLessThan(5 * (int) (1 / EPSILON));
    }

    @Test
    void intervalsAreTakenAsProfiles() {
        HotTree tree = new HotTree(0.4, 0.1, Resource.SAMPLES);
        tree.add(Trees.of("ab 6", "ac 1"));
        tree.add(Trees.of("ab 6", "ad 1"));

        assertThat(Trees.contexts(tree.hot())).contains("ab 12");
        assertThat(Trees.samples(tree.hot()).total()).isEqualTo(14);
    }

    @Test
    void epsilonMustBeBelowPhi() {
        assertThatThrownBy(() -> new HotTree(0.1, 0.1, Resource.SAMPLES))
                .isInstanceOf(ModelException.class);
    }
}
