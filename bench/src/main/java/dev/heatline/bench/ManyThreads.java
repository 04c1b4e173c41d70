package dev.heatline.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;

/**
 * A JVM with as many threads as it is told, which wait, and one that does equal units of work: as
 * many as a line on standard input says.
 */
public final class ManyThreads {
    static volatile long seed = 42;

    private ManyThreads() {}

    public static void main(String[] args) throws IOException {
        CountDownLatch never = new CountDownLatch(1);
        for (int i = 0; i < Integer.parseInt(args[0]); i++) {
            Thread.ofPlatform().daemon().name("waiting-" + i).start(() -> await(never));
        }
        System.out.println("ready");
        BufferedReader in =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            for (int left = Integer.parseInt(line); left > 0; left--) {
                work();
            }
            System.out.println("done");
        }
    }

    private static void work() {
        long x = seed;
        for (int i = 0; i < 100_000; i++) {
            x ^= x << 13;
            x ^= x >>> 7;
            x ^= x << 17;
        }
        seed = x;
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
