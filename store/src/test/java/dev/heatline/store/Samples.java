package dev.heatline.store;

import dev.heatline.model.Consumer;
import dev.heatline.model.Execution;
import dev.heatline.model.FrameKind;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Provenance;
import dev.heatline.model.Resource;
import dev.heatline.model.Site;
import java.time.Instant;
import java.util.List;
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
            builder.column(Resource.SAMPLES).add(node, thread(builder, random), random.nextInt(3));
            builder.column(resource).add(node, thread(builder, random), random.nextInt(1000));
        }
        return builder.build(provenance(random));
    }

    private static int thread(ProfileBuilder builder, Random random) {
        int thread = random.nextInt(3);
        return thread == 0 ? -1 : builder.consumer(Consumer.thread("g", "t" + thread));
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

    /** All that a selection chooses. */
    static Profile collect(Store from, Selection selection) {
        ProfileBuilder builder = new ProfileBuilder();
        Store.Collected collected = from.collect(selection, 0, builder);
        return builder.build(collected.provenance());
    }
}
