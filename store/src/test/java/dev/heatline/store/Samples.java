package dev.heatline.store;

import dev.heatline.model.Column;
import dev.heatline.model.Consumer;
import dev.heatline.model.Execution;
import dev.heatline.model.FrameKind;
import dev.heatline.model.Moments;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Provenance;
import dev.heatline.model.Resource;
import dev.heatline.model.Site;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Small profiles that have much in common and still differ in every way a profile can. */
final class Samples {
    static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    static final Execution SHOP = new Execution("shop", "1", "a");

    private static final List<Resource> RESOURCES =
            List.of(
                    Resource.SAMPLES,
                    Resource.CPU,
                    Resource.CPU.withPerUnit(1000),
                    Resource.bytes("allocated", "allocations"),
                    Resource.count("allocations"));

    private Samples() {}

    /** One method, sampled so often. */
    static Profile of(String method, long samples) {
        ProfileBuilder builder = new ProfileBuilder();
        int node = builder.child(Profile.ROOT, builder.consumer(Consumer.method(method)), 0);
        int thread = builder.consumer(Consumer.thread("main", "worker"));
        builder.column(Resource.SAMPLES).add(node, thread, samples);
        return builder.build(Provenance.NONE);
    }

    /** So much of a resource and nothing else. */
    static Profile used(Resource resource, long amount) {
        ProfileBuilder builder = new ProfileBuilder();
        builder.column(resource).add(Profile.ROOT, -1, amount);
        return builder.build(Provenance.NONE);
    }

    static Upload upload(String id, Execution execution, long minute, Profile profile) {
        return new Upload(id, execution, minute(minute), minute(minute + 1), profile);
    }

    static Instant minute(long minute) {
        return START.plusSeconds(60 * minute);
    }

    static Profile random(Random random) {
        ProfileBuilder builder = new ProfileBuilder();
        Resource resource = RESOURCES.get(random.nextInt(RESOURCES.size()));
        int stacks = random.nextInt(6);
        for (int i = 0; i < stacks; i++) {
            int node = random.nextInt(5) == 0 ? builder.truncatedRoot() : Profile.ROOT;
            for (int depth = random.nextInt(5); depth > 0; depth--) {
                Consumer method = Consumer.method("p.C", "m" + random.nextInt(4), "()V");
                int line = random.nextInt(3);
                node =
                        builder.child(
                                node, builder.consumer(method), Site.of(line, FrameKind.of(0)));
            }
            int samples = random.nextInt(3);
            if (random.nextBoolean()) {
                long second = START.getEpochSecond() + random.nextInt(5000);
                builder.column(Resource.SAMPLES)
                        .add(node, thread(builder, random), samples, second);
            } else {
                builder.column(Resource.SAMPLES).add(node, thread(builder, random), samples);
            }
            builder.column(resource).add(node, thread(builder, random), random.nextInt(1000));
        }
        Profile profile = builder.build(provenance(random));
        boolean timed = random.nextBoolean() && profile.column(Resource.SAMPLES.name()).isPresent();
        return timed
                ? profile.withProvenance(
                        profile.provenance().plusMoments(Resource.SAMPLES.name(), moments(random)))
                : profile;
    }

    private static int thread(ProfileBuilder builder, Random random) {
        int thread = random.nextInt(3);
        return thread == 0 ? -1 : builder.consumer(Consumer.thread("g", "t" + thread));
    }

    private static Moments moments(Random random) {
        Moments.Builder moments = new Moments.Builder();
        for (int left = random.nextInt(4); left > 0; left--) {
            moments.add(START.getEpochSecond() + random.nextInt(5000), 1 + random.nextInt(3));
        }
        return moments.build();
    }

    private static Provenance provenance(Random random) {
        Provenance provenance = Provenance.NONE;
        if (random.nextBoolean()) {
            provenance = provenance.withFact(Provenance.INTERVAL, random.nextInt(3) + "ms");
        }
        if (random.nextBoolean()) {
            provenance = provenance.plusCount(Provenance.LOST, random.nextInt(5));
        }
        if (random.nextBoolean()) {
            int from = random.nextInt(1000);
            provenance = provenance.covering(from, from + random.nextInt(100));
        }
        return provenance;
    }

    /** Which seconds of a minute samples were taken in, each with how many. */
    static Profile sampled(long minute, Map<Integer, Integer> seconds) {
        Moments.Builder moments = new Moments.Builder();
        long samples = 0;
        for (Map.Entry<Integer, Integer> second : seconds.entrySet()) {
            moments.add(minute(minute).getEpochSecond() + second.getKey(), second.getValue());
            samples += second.getValue();
        }
        Profile profile = of("a.B.c", samples);
        return profile.withProvenance(
                Provenance.NONE.plusMoments(Resource.SAMPLES.name(), moments.build()));
    }

    /** One sample of 10 ms, of a method in a second of a minute. */
    record Sample(String method, int second) {}

    /** A profile that tells the seconds of its samples, and a count that is of no second. */
    static Profile bySecond(long minute, List<Sample> samples) {
        ProfileBuilder builder = new ProfileBuilder();
        int thread = builder.consumer(Consumer.thread("main", "worker"));
        for (Sample sample : samples) {
            int method = builder.consumer(Consumer.method(sample.method));
            int node = builder.child(Profile.ROOT, method, Site.NONE);
            long second = minute(minute).getEpochSecond() + sample.second;
            builder.column(Resource.SAMPLES).add(node, thread, 1, second);
            builder.column(Resource.CPU).add(node, thread, 10_000_000);
            builder.column(Resource.count("waits")).add(node, thread, 6);
        }
        return builder.build(
                Provenance.NONE
                        .plusCount(Provenance.LOST, 60)
                        .covering(nanos(minute), nanos(minute + 1)));
    }

    /** What is left of a profile where nobody asks for parts of its time. */
    static Profile withoutSeconds(Profile profile) {
        ProfileBuilder builder = new ProfileBuilder();
        int[] nodes = new int[profile.nodeCount()];
        for (int node = 1; node < nodes.length; node++) {
            int consumer = builder.consumer(profile.consumerOf(node));
            nodes[node] = builder.child(nodes[profile.parent(node)], consumer, profile.site(node));
        }
        for (Column column : profile.columns()) {
            for (int row = 0; row < column.rows(); row++) {
                int thread = column.thread(row);
                builder.column(column.resource())
                        .add(
                                nodes[column.node(row)],
                                thread < 0 ? thread : builder.consumer(profile.consumerAt(thread)),
                                column.value(row));
            }
        }
        return builder.build(profile.provenance());
    }

    static long nanos(long minute) {
        return Keys.nanos(minute(minute));
    }

    /** All that a selection chooses. */
    static Profile collect(Store from, Selection selection) {
        ProfileBuilder builder = new ProfileBuilder();
        Store.Collected collected = from.collect(selection, 0, builder);
        return builder.build(collected.provenance());
    }
}
