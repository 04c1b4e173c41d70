package dev.heatline.model;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Profiles for tests: written by hand as paths, or random with much recursion. */
final class Trees {

    private Trees() {}

    /** A stack of one-letter methods with the number of times it was seen. */
    record Seen(String path, String thread, int line, long samples) {}

    static Profile of(String... pathsWithCounts) {
        ProfileBuilder builder = new ProfileBuilder();
        for (String written : pathsWithCounts) {
            int blank = written.indexOf(' ');
            long samples = Long.parseLong(written.substring(blank + 1));
            add(builder, Profile.ROOT, new Seen(written.substring(0, blank), "", 0, samples));
        }
        return builder.build(Provenance.NONE);
    }

    static Profile of(List<Seen> stacks) {
        ProfileBuilder builder = new ProfileBuilder();
        stacks.forEach(seen -> add(builder, Profile.ROOT, seen));
        return builder.build(Provenance.NONE.plusCount(Provenance.LOST, stacks.size()));
    }

    /** Every letter of the path is a method called by the one before; a dot separates nothing. */
    static int add(ProfileBuilder builder, int from, Seen seen) {
        int depth = seen.path().length();
        int[] consumers = new int[depth];
        int[] sites = new int[depth];
        for (int i = 0; i < depth; i++) {
            String name = seen.path().substring(i, i + 1);
            consumers[depth - 1 - i] = builder.consumer(Consumer.method(name));
            sites[depth - 1 - i] = Site.of(seen.line(), FrameKind.UNKNOWN);
        }
        int node = builder.stack(from, consumers, sites, depth);
        int thread =
                seen.thread().isEmpty()
                        ? Column.NO_THREAD
                        : builder.consumer(Consumer.thread("", seen.thread()));
        builder.column(Resource.SAMPLES).add(node, thread, seen.samples());
        builder.column(Resource.CPU).add(node, thread, seen.samples() * 10_000_000);
        return node;
    }

    /** The node at the end of a path of one-letter methods. */
    static int node(Profile profile, String path) {
        int node = Profile.ROOT;
        for (int i = 0; i < path.length(); i++) {
            String letter = path.substring(i, i + 1);
            int parent = node;
            node = Profile.NO_NODE;
            for (int at = parent + 1; at < profile.end(parent); at = profile.end(at)) {
                if (profile.consumerOf(at).name().equals(letter)) {
                    node = at;
                }
            }
            if (node == Profile.NO_NODE) {
                return node;
            }
        }
        return node;
    }

    static int method(Profile profile, String name) {
        return profile.idOf(Consumer.method(name));
    }

    static Column samples(Profile profile) {
        return profile.column("samples").orElseThrow();
    }

    /** All contexts with their own samples, as written for {@link #of(String...)}. */
    static List<String> contexts(Profile profile) {
        long[] self = samples(profile).self(profile.nodeCount());
        List<String> contexts = new ArrayList<>();
        for (int node = 0; node < self.length; node++) {
            if (self[node] > 0) {
                StringBuilder path = new StringBuilder();
                profile.path(node).forEach(consumer -> path.append(consumer.name()));
                contexts.add(path + " " + self[node]);
            }
        }
        return contexts;
    }

    /** Few methods and long stacks, so that recursion of every kind happens all the time. */
    static Arbitrary<Profile> profiles() {
        Arbitrary<String> paths = Arbitraries.strings().withChars("abcd").ofMaxLength(12);
        Arbitrary<Seen> stacks =
                Combinators.combine(
                                paths,
                                Arbitraries.of("", "main", "worker", "pool-1"),
                                Arbitraries.integers().between(0, 3),
                                Arbitraries.longs().between(1, 50))
                        .as(Seen::new);
        return stacks.list().ofMaxSize(30).map(Trees::of);
    }
}
