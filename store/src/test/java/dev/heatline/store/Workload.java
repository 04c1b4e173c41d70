package dev.heatline.store;

import dev.heatline.model.Consumer;
import dev.heatline.model.FrameKind;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Provenance;
import dev.heatline.model.Resource;
import dev.heatline.model.Site;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Profiles of a made-up program that does much the same every minute: a few thousand methods call
 * each other in stacks of some thirty frames, popular ones far more often than others, and now and
 * then it does what it never did before.
 */
final class Workload {
    private static final int METHODS = 3000;
    private static final int STACKS = 1500;
    private static final int THREADS = 20;
    private static final int MEAN_DEPTH = 30;
    private static final long NANOS_PER_SAMPLE = 10_000_000;

    private final Random random;
    private final List<Consumer> methods = new ArrayList<>();
    private final List<int[]> stacks = new ArrayList<>();

    Workload(long seed) {
        random = new Random(seed);
        for (int i = 0; i < METHODS; i++) {
            methods.add(
                    Consumer.method(
                            "com.example.shop.part" + i % 40 + ".ServiceNumber" + i / 10,
                            "handleSomething" + i,
                            "(Ljava/lang/String;I)V"));
        }
        stacks.add(new int[] {0});
        while (stacks.size() < STACKS) {
            stacks.add(newStack());
        }
    }

    /** Leaves an older stack at some depth and goes on from there. */
    private int[] newStack() {
        int[] older = stacks.get(random.nextInt(stacks.size()));
        int shared = Math.min(older.length, 1 + random.nextInt(MEAN_DEPTH));
        int[] stack = new int[shared + 1 + random.nextInt(MEAN_DEPTH / 10)];
        System.arraycopy(older, 0, stack, 0, shared);
        for (int i = shared; i < stack.length; i++) {
            stack[i] = random.nextInt(METHODS);
        }
        return stack;
    }

    /** What so many samples of a minute see. */
    Profile minute(int samples) {
        ProfileBuilder builder = new ProfileBuilder();
        int[] ids = methods.stream().mapToInt(builder::consumer).toArray();
        int[] threads = new int[THREADS];
        for (int i = 0; i < THREADS; i++) {
            threads[i] = builder.consumer(Consumer.thread("main", "worker-" + i));
        }
        if (random.nextInt(4) == 0) {
            stacks.set(STACKS / 2 + random.nextInt(STACKS / 2), newStack());
        }
        for (int i = 0; i < samples; i++) {
            // The cube makes the first stacks far more popular than the last.
            double popularity = random.nextDouble();
            int[] stack = stacks.get((int) (STACKS * popularity * popularity * popularity));
            int node = Profile.ROOT;
            for (int method : stack) {
                int line = 20 + method % 300;
                node = builder.child(node, ids[method], Site.of(line, FrameKind.COMPILED));
            }
            int thread = threads[(int) (THREADS * popularity * random.nextDouble())];
            long second = Samples.START.getEpochSecond() + 60L * i / samples;
            builder.column(Resource.SAMPLES).add(node, thread, 1, second);
            builder.column(Resource.CPU).add(node, thread, NANOS_PER_SAMPLE);
        }
        return builder.build(
                Provenance.NONE
                        .withFact(Provenance.INTERVAL, "10ms")
                        .plusCount(Provenance.LOST, random.nextInt(3)));
    }
}
