package dev.heatline.bench;

import dev.heatline.model.Column;
import dev.heatline.model.Execution;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Resource;
import dev.heatline.store.RocksStore;
import dev.heatline.store.Selection;
import dev.heatline.store.Store;
import dev.heatline.store.StoreOptions;
import dev.heatline.store.Upload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/**
 * How much disk a month of minutes takes, and how much the gzipped collapsed stacks of its first
 * day: a service of some instances, busy by day and idle by night, with a release every week.
 *
 * <p>{@code java -jar bench/target/heatline-bench.jar month [--days N] [--instances N]}
 */
final class StoredMonth {
    private static final Instant BEGIN = Instant.parse("2026-01-05T00:00:00Z");
    private static final int MINUTES_PER_DAY = 24 * 60;
    private static final int DAYS_PER_RELEASE = 7;

    /** Three threads that are always running, at a sample each 10 ms. */
    private static final double MOST_SAMPLES = 3 * 6_000;

    private final Store store;
    private final List<Producer> producers = new ArrayList<>();

    private StoredMonth(Store store, int instances) {
        this.store = store;
        SyntheticService service = SyntheticService.ordinary();
        for (int i = 0; i < instances; i++) {
            producers.add(new Producer(service.new Instance(i), "shop-" + i));
        }
    }

    static void run(String[] args) throws IOException {
        Given given = new Given(args, "--days", "--instances");
        int days = given.number("--days", 30);
        Path folder = Files.createTempDirectory("month");
        try {
            StoredMonth month;
            try (Store store = RocksStore.open(folder, StoreOptions.DEFAULT)) {
                month = new StoredMonth(store, given.number("--instances", 10));
                month.store(days);
                month.check();
            }
            // Opened again, what was only in the log is in files, too.
            RocksStore.open(folder, StoreOptions.DEFAULT).close();
            month.print(days, Folders.bytes(folder));
        } finally {
            Folders.delete(folder);
        }
    }

    private void store(int days) throws IOException {
        for (int hour = 0; hour < days * 24; hour++) {
            int first = hour * 60;
            producers.parallelStream().forEach(producer -> producer.produce(first, first + 60));
            store.maintain(BEGIN.plus(Duration.ofHours(hour + 1)));
            if (hour == 23) {
                for (Producer producer : producers) {
                    producer.whole.close();
                    producer.plain.close();
                }
            }
        }
    }

    /** Whatever was rolled up, no sample may be missing. */
    private void check() {
        ProfileBuilder all = new ProfileBuilder();
        Store.Collected collected = store.collect(Selection.of("shop"), 0, all);
        long stored =
                all.build(collected.provenance()).column("samples").map(Column::total).orElse(0L);
        if (stored != sum(Producer::samples)) {
            throw new IllegalStateException(
                    stored + " samples are stored, but " + sum(Producer::samples) + " were made");
        }
    }

    private long sum(ToLongFunction<Producer> number) {
        return producers.stream().mapToLong(number).sum();
    }

    private void print(int days, long bytes) {
        long minutes = (long) days * MINUTES_PER_DAY * producers.size();
        System.out.printf(
                Locale.ROOT,
                "%d instances, %d profiles of %d nodes and %d samples on average%n%n",
                producers.size(),
                minutes,
                sum(Producer::nodes) / minutes,
                sum(Producer::samples) / minutes);
        System.out.println("| what | MB | store / this |");
        System.out.println("| --- | --- | --- |");
        row("collapsed stacks of the first day", sum(producer -> producer.whole.bytes()), bytes);
        row("the same, gzipped", sum(producer -> producer.whole.gzippedBytes()), bytes);
        row(
                "gzipped, without threads and lines",
                sum(producer -> producer.plain.gzippedBytes()),
                bytes);
        row("store after " + days + " days", bytes, bytes);
    }

    private static void row(String what, long bytes, long storeBytes) {
        System.out.printf(
                Locale.ROOT,
                "| %s | %.1f | %.2f |%n",
                what,
                bytes / 1e6,
                (double) storeBytes / bytes);
    }

    /** Load is a fifth at night, and rises to its most in the afternoon. */
    private static double load(int minute) {
        double phase = 2 * Math.PI * (minute % MINUTES_PER_DAY - 9 * 60) / MINUTES_PER_DAY;
        return 0.2 + 0.8 * Math.pow(Math.max(0, 0.5 + 0.5 * Math.sin(phase)), 1.5);
    }

    /**
     * An instance and the files of its collapsed stacks. Gzip files one after the other are one.
     */
    private final class Producer {
        private final SyntheticService.Instance instance;
        private final String name;
        private final CollapsedFile whole = new CollapsedFile(false);
        private final CollapsedFile plain = new CollapsedFile(true);
        private long nodes;
        private long samples;

        Producer(SyntheticService.Instance instance, String name) {
            this.instance = instance;
            this.name = name;
        }

        long nodes() {
            return nodes;
        }

        long samples() {
            return samples;
        }

        void produce(int fromMinute, int untilMinute) {
            for (int minute = fromMinute; minute < untilMinute; minute++) {
                int day = minute / MINUTES_PER_DAY;
                int release = day / DAYS_PER_RELEASE;
                Instant from = BEGIN.plus(Duration.ofMinutes(minute));
                Profile profile = instance.minute(from, release, MOST_SAMPLES * load(minute));
                nodes += profile.nodeCount();
                samples += profile.column(Resource.SAMPLES.name()).orElseThrow().total();
                store.add(
                        new Upload(
                                name + "/" + minute,
                                new Execution("shop", "1." + release, name),
                                from,
                                from.plus(Duration.ofMinutes(1)),
                                profile));
                if (day == 0) {
                    whole.add(profile);
                    plain.add(profile);
                }
            }
        }
    }
}
