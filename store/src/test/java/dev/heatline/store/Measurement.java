package dev.heatline.store;

import com.sun.management.OperatingSystemMXBean;
import dev.heatline.formats.Formats;
import dev.heatline.formats.WriteOptions;
import dev.heatline.model.Execution;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/**
 * Prints what docs/store.md says of speed and size; run by hand:
 *
 * <pre>java -cp ... dev.heatline.store.Measurement speed | size DAYS INSTANCES</pre>
 */
final class Measurement {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final int SAMPLES = 3000;
    private static final int MINUTES_PER_DAY = 1440;

    private Measurement() {}

    public static void main(String[] args) throws Exception {
        Path directory = Files.createTempDirectory("heatline-store");
        try (RocksStore store = RocksStore.open(directory, StoreOptions.DEFAULT)) {
            if (args[0].equals("speed")) {
                speed(store);
            } else {
                size(store, Integer.parseInt(args[1]), Integer.parseInt(args[2]));
            }
            System.out.println(store.usage());
        }
    }

    private static void speed(RocksStore store) throws InterruptedException {
        List<Profile> profiles = new ArrayList<>();
        Workload workload = new Workload(1);
        long nodes = 0;
        for (int i = 0; i < 200; i++) {
            profiles.add(workload.minute(SAMPLES));
            nodes += profiles.getLast().nodeCount();
        }
        System.out.println(nodes / profiles.size() + " nodes each");
        for (int round = 0; round < 6; round++) {
            adds(store, profiles, round);
        }
        for (int round = 0; round < 4; round++) {
            long begin = System.nanoTime();
            long cpu = cpuNanos();
            ProfileBuilder builder = new ProfileBuilder();
            Instant from = START.plus(Duration.ofDays(round));
            Store.Collected collected =
                    store.collect(
                            Selection.of("shop").between(from, from.plus(Duration.ofDays(1))),
                            0,
                            builder);
            Profile merged = builder.build(collected.provenance());
            System.out.printf(
                    "collected %d profiles in %.1f ms (%.1f ms of CPU): %s%n",
                    collected.profiles(),
                    (System.nanoTime() - begin) / 1e6,
                    (cpuNanos() - cpu) / 1e6,
                    merged);
        }
    }

    private static void adds(RocksStore store, List<Profile> profiles, int round)
            throws InterruptedException {
        long begin = System.nanoTime();
        long cpu = cpuNanos();
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 2; t++) {
            int half = t;
            Thread thread =
                    new Thread(
                            () -> {
                                for (int i = half; i < MINUTES_PER_DAY; i += 2) {
                                    add(
                                            store,
                                            "a",
                                            round * MINUTES_PER_DAY + i,
                                            profiles.get(i % 200));
                                }
                            });
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.printf(
                "%.0f adds/s on 2 threads, %.3f ms of CPU each%n",
                MINUTES_PER_DAY / ((System.nanoTime() - begin) / 1e9),
                (cpuNanos() - cpu) / 1e6 / MINUTES_PER_DAY);
    }

    /** Of all threads, compiling, collecting and compacting included. */
    private static long cpuNanos() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
    }

    private static void add(RocksStore store, String instance, int minute, Profile profile) {
        Instant from = START.plus(Duration.ofMinutes(minute));
        boolean _ =
                store.add(
                        new Upload(
                                instance + minute,
                                new Execution("shop", "1", instance),
                                from,
                                from.plusSeconds(60),
                                profile));
    }

    private static void size(RocksStore store, int days, int instances) throws IOException {
        List<Workload> workloads = new ArrayList<>();
        for (int i = 0; i < instances; i++) {
            // The same program everywhere, sampled at different moments.
            workloads.add(new Workload(7));
        }
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        long gzip = 0;
        for (int day = 0; day < days; day++) {
            for (int minute = 0; minute < MINUTES_PER_DAY; minute++) {
                for (int i = 0; i < instances; i++) {
                    Profile profile = workloads.get(i).minute(SAMPLES + 10 * i);
                    add(store, "i" + i, day * MINUTES_PER_DAY + minute, profile);
                    if (day == 0) {
                        packed.reset();
                        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
                            Formats.byName("collapsed")
                                    .orElseThrow()
                                    .write(profile, out, WriteOptions.DEFAULT);
                        }
                        gzip += packed.size();
                    }
                }
            }
            store.maintain(START.plus(Duration.ofDays(day + 1)));
            System.out.printf(
                    "day %d: %s; gzip of collapsed of day 1: %d%n", day + 1, store.usage(), gzip);
        }
    }
}
