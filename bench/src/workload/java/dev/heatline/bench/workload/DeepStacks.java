package dev.heatline.bench.workload;

import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * Makes deep and nearly unique stacks: a random walk through sixteen methods that call each other,
 * with an allocation outside the allocation buffers at its end, which JFR records with its stack.
 *
 * <p>{@code java -XX:FlightRecorderOptions=stackdepth=1024 … dev.heatline.bench.workload.DeepStacks
 * EVENTS|SECONDSs}
 */
public final class DeepStacks {
    private static final int DEEPEST = 200;
    private static final int LARGE = 4 << 20;

    private final Random random = new Random(7);
    private byte[] last = {};

    private DeepStacks() {}

    public static void main(String[] args) {
        DeepStacks stacks = new DeepStacks();
        String length = args[0];
        boolean timed = length.endsWith("s");
        int number = Integer.parseInt(timed ? length.substring(0, length.length() - 1) : length);
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(number);
        for (int event = 0; timed ? System.nanoTime() < until : event < number; event++) {
            stacks.step(20 + stacks.random.nextInt(DEEPEST - 20));
        }
        System.out.println(stacks.last.length);
    }

    private void step(int depth) {
        if (depth == 0) {
            last = new byte[LARGE];
            return;
        }
        switch (random.nextInt(16)) {
            case 0 -> a(depth - 1);
            case 1 -> b(depth - 1);
            case 2 -> c(depth - 1);
            case 3 -> d(depth - 1);
            case 4 -> e(depth - 1);
            case 5 -> f(depth - 1);
            case 6 -> g(depth - 1);
            case 7 -> h(depth - 1);
            default -> step(depth - 1);
        }
    }

    private void a(int depth) {
        step(depth);
    }

    private void b(int depth) {
        step(depth);
    }

    private void c(int depth) {
        step(depth);
    }

    private void d(int depth) {
        step(depth);
    }

    private void e(int depth) {
        step(depth);
    }

    private void f(int depth) {
        step(depth);
    }

    private void g(int depth) {
        step(depth);
    }

    private void h(int depth) {
        step(depth);
    }
}
