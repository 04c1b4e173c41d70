package dev.heatline.collector.threads;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;

/**
 * A program whose threads measure their own CPU time. Started from its source by the tests, on
 * every supported JVM. Takes orders line by line, and answers each with the nanoseconds used:
 * {@code burn MILLIS NAME} is one thread that lives on, {@code brief MILLIS COUNT} are many, one
 * after the other, that do not.
 */
final class Known {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    static volatile long seed = 42;
    private static long used;

    private Known() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        THREADS.getCurrentThreadCpuTime();
        System.out.println("up");
        BufferedReader in =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] order = line.split(" ", 3);
            long millis = Long.parseLong(order[1]);
            used = 0;
            if (order[0].equals("burn")) {
                start(order[2], millis, true);
            } else {
                for (int i = 0; i < Integer.parseInt(order[2]); i++) {
                    start("brief", millis, false).join();
                }
            }
            System.out.println(await());
        }
    }

    private static Thread start(String name, long millis, boolean stays) {
        Thread thread =
                new Thread(
                        () -> {
                            long nanos = burn(millis * 1_000_000);
                            synchronized (Known.class) {
                                used += nanos;
                                Known.class.notifyAll();
                            }
                            while (stays) {
                                pause();
                            }
                        },
                        name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private static long burn(long nanos) {
        long now = 0;
        while (now < nanos) {
            long x = seed;
            for (int i = 0; i < 100_000; i++) {
                x ^= x << 13;
                x ^= x >>> 7;
                x ^= x << 17;
            }
            seed = x;
            now = THREADS.getCurrentThreadCpuTime();
        }
        return now;
    }

    private static synchronized long await() throws InterruptedException {
        while (used == 0) {
            Known.class.wait();
        }
        return used;
    }

    private static void pause() {
        try {
            Thread.sleep(1_000_000);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
