package dev.heatline.bench.workload;

import java.util.Hashtable;
import java.util.Map;
import java.util.Random;

/** A {@link Hashtable} that all threads ask for nothing else but its entries. */
final class Storm implements Unit {
    private static final int ENTRIES = 1_000;
    private static final int QUESTIONS = 20_000;

    @SuppressWarnings("JdkObsolete") // what old code is full of
    private final Map<Integer, Integer> table = new Hashtable<>();

    Storm() {
        for (int i = 0; i < ENTRIES; i++) {
            table.put(i, i);
        }
    }

    @Override
    public void run(Random random) {
        long sum = 0;
        for (int i = random.nextInt(ENTRIES), left = QUESTIONS; left > 0; left--) {
            i = (i * 31 + 7) % ENTRIES;
            sum += table.getOrDefault(i, 0);
        }
        if (sum < 0) {
            throw new IllegalStateException("entries are not negative");
        }
    }
}
