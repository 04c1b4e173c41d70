package dev.heatline.collector.spool;

import dev.heatline.formats.Formats;
import dev.heatline.formats.ReadOptions;
import dev.heatline.formats.Source;
import dev.heatline.model.Column;
import dev.heatline.model.Consumer;
import dev.heatline.model.Execution;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Provenance;
import dev.heatline.model.Resource;
import dev.heatline.model.Site;
import java.time.Instant;
import java.util.SplittableRandom;
import java.util.UUID;

/** Profiles to spool, with known totals. */
final class Profiles {
    static final Execution SHOP = new Execution("shop", "1.2", "a");

    private Profiles() {}

    /** So many samples in one method. */
    static Profile of(long samples) {
        ProfileBuilder builder = new ProfileBuilder();
        int method = builder.consumer(Consumer.method("work"));
        int node = builder.child(Profile.ROOT, method, Site.NONE);
        builder.column(Resource.SAMPLES).add(node, Column.NO_THREAD, samples);
        return builder.build(Provenance.NONE);
    }

    /** So many samples by CPU time, as JDK 25 has them, beside other observations. */
    static Profile ofCpuTime(long samples) {
        ProfileBuilder builder = new ProfileBuilder();
        int method = builder.consumer(Consumer.method("work"));
        int node = builder.child(Profile.ROOT, method, Site.NONE);
        builder.column(Resource.count("allocations")).add(node, Column.NO_THREAD, 1_000);
        builder.column(Resource.count("cpu-samples")).add(node, Column.NO_THREAD, samples);
        builder.column(Resource.seconds("cpu-time", "cpu-samples"))
                .add(node, Column.NO_THREAD, samples * 10_000_000);
        return builder.build(Provenance.NONE);
    }

    /** Names that do not compress: more than 10 bytes on disk for each node. */
    static Profile large(int nodes, long seed) {
        ProfileBuilder builder = new ProfileBuilder();
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < nodes; i++) {
            String name = Long.toString(random.nextLong(), Character.MAX_RADIX);
            int node =
                    builder.child(Profile.ROOT, builder.consumer(Consumer.method(name)), Site.NONE);
            builder.column(Resource.SAMPLES).add(node, Column.NO_THREAD, 1);
        }
        return builder.build(Provenance.NONE);
    }

    static Entry entry(String source, String position) {
        return entry(UUID.randomUUID().toString(), source, position);
    }

    static Entry entry(String id, String source, String position) {
        Instant from = Instant.ofEpochSecond(1_800_000_000);
        return new Entry(id, SHOP, from, from.plusSeconds(60), source, position);
    }

    static Profile read(byte[] heat) {
        return Formats.read(Source.of("upload", heat), ReadOptions.DEFAULT);
    }

    static long samples(Profile profile) {
        return profile.column("samples").map(Column::total).orElse(0L);
    }
}
