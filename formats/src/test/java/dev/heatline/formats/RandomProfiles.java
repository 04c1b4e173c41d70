package dev.heatline.formats;

import dev.heatline.model.Column;
import dev.heatline.model.ColumnBuilder;
import dev.heatline.model.Consumer;
import dev.heatline.model.ConsumerType;
import dev.heatline.model.FrameKind;
import dev.heatline.model.Moments;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Provenance;
import dev.heatline.model.Resource;
import dev.heatline.model.Site;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Profiles of all shapes: any consumers, any resources, hostile names, truncated stacks. */
final class RandomProfiles {

    /** Names that break formats which are careless about separators and encodings. */
    static final List<String> HOSTILE =
            List.of(
                    "",
                    " ",
                    "a;b",
                    "a b",
                    "a b 12",
                    " edge ",
                    "line\nbreak",
                    "carriage\rreturn",
                    "nul\0inside",
                    "tab\there",
                    "quote\"backslash\\",
                    "name:12",
                    "name_[j]",
                    "[thread tid=7]",
                    "[tid=7]",
                    "tid=5 tid=6",
                    "%3B&#59;",
                    "\u241B003b",
                    "\u241F",
                    "a\u241Fmethod\u241Fb\u241Fc\u241F",
                    "[truncated stacks]",
                    "smile \uD83D\uDE00",
                    "lone \uD83D surrogate",
                    "\uFEFFbom",
                    "\u05D0\u05D1\u202Eright to left",
                    "std::vector<int>::push_back(int const&)",
                    "libc.so.6",
                    "net/http.(*conn).serve",
                    "(weird)V",
                    ">",
                    "#resource a b",
                    "</script>",
                    "x".repeat(10_000));

    private static final List<String> CLASSES =
            List.of(
                    "java.lang.String",
                    "java.util.HashMap$Node",
                    "Main",
                    "com.example.App$$Lambda/0x00007f0001",
                    "com.example.App$$Lambda.0x00007f0001",
                    "com.example.Ünïcode");
    private static final List<String> METHODS =
            List.of("run", "<init>", "lambda$main$0", "a", "b", "größe");
    private static final List<String> DESCRIPTORS =
            List.of("", "()V", "(I[Ljava/lang/String;)J", "(Ljava/lang/Object;)Z", "(int,String)");

    private static final List<Resource> RESOURCES =
            List.of(
                    Resource.SAMPLES,
                    Resource.CPU,
                    Resource.seconds("wall", "samples"),
                    Resource.bytes("allocated", "allocations"),
                    Resource.count("allocations"),
                    new Resource("energy", "J", Resource.Kind.AMOUNT, 1000, "samples"));

    private static final long NOW = 1_800_000_000L;

    private final SplittableRandom random;
    private final boolean hostile;
    private final List<Consumer> frames = new ArrayList<>();
    private final List<Consumer> threads = new ArrayList<>();

    private RandomProfiles(long seed, boolean hostile) {
        this.random = new SplittableRandom(seed);
        this.hostile = hostile;
    }

    /** Profiles of up to so many stacks, every second one with hostile names. */
    static Arbitrary<Profile> profiles(int maxStacks) {
        return Combinators.combine(
                        Arbitraries.longs(),
                        Arbitraries.integers().between(0, maxStacks),
                        Arbitraries.of(true, false))
                .as(RandomProfiles::profile);
    }

    static Profile profile(long seed, int stacks, boolean hostile) {
        return new RandomProfiles(seed, hostile).build(stacks);
    }

    private Profile build(int stacks) {
        for (int i = 0; i < 12; i++) {
            frames.add(frame());
            threads.add(Consumer.thread(oneIn(2) ? "" : "pool", oneIn(3) ? name() : "worker-" + i));
        }
        ProfileBuilder builder = new ProfileBuilder();
        List<Resource> used = RESOURCES.stream().filter(_ -> oneIn(2)).toList();
        for (int i = 0; i < stacks; i++) {
            addStack(builder, used);
        }
        return builder.build(provenance());
    }

    private void addStack(ProfileBuilder builder, List<Resource> resources) {
        int node = oneIn(8) ? builder.truncatedRoot() : Profile.ROOT;
        int depth = oneIn(10) ? 0 : random.nextInt(12);
        for (int i = 0; i < depth; i++) {
            node = builder.child(node, builder.consumer(pick(frames)), site());
        }
        int thread = oneIn(4) ? Column.NO_THREAD : builder.consumer(pick(threads));
        for (Resource resource : resources) {
            ColumnBuilder column = builder.column(resource);
            if (resource.isOccurrences() && oneIn(2)) {
                column.add(node, thread, value(), random.nextInt(60) + (oneIn(50) ? 0 : NOW));
            } else {
                column.add(node, thread, value());
            }
        }
    }

    private Consumer frame() {
        if (hostile && oneIn(4)) {
            ConsumerType[] types = ConsumerType.values();
            ConsumerType type = types[1 + random.nextInt(types.length - 1)];
            return new Consumer(type, oneIn(2) ? "" : name(), name(), oneIn(2) ? "" : name());
        }
        if (oneIn(6)) {
            return Consumer.method("", oneIn(2) ? "memcpy" : "JavaThread::run()", "");
        }
        return Consumer.method(pick(CLASSES), pick(METHODS), pick(DESCRIPTORS));
    }

    private int site() {
        FrameKind kind = FrameKind.of(random.nextInt(FrameKind.values().length));
        return oneIn(3) ? Site.NONE : Site.of(oneIn(2) ? 0 : random.nextInt(1, 3000), kind);
    }

    private long value() {
        return oneIn(5) ? random.nextLong(1L << 40) : random.nextInt(1, 100);
    }

    private Provenance provenance() {
        Provenance provenance = Provenance.NONE;
        if (oneIn(2)) {
            provenance = provenance.withFact(Provenance.APPLICATION, name());
            provenance = provenance.withFact(Provenance.APPLICATION, "shop");
        }
        if (oneIn(2)) {
            provenance = provenance.withCount(Provenance.LOST, random.nextLong(1L << 40));
        }
        if (oneIn(2)) {
            long from = random.nextLong(1_800_000_000_000_000_000L);
            provenance = provenance.covering(from, from + random.nextLong(1L << 50));
        }
        if (oneIn(2)) {
            provenance = provenance.plusMoments(name(), moments());
            provenance = provenance.plusMoments("samples", moments());
        }
        return provenance;
    }

    private Moments moments() {
        Moments.Builder moments = new Moments.Builder();
        long from = random.nextLong(-1_000_000_000L, 1_800_000_000L);
        for (int left = random.nextInt(20); left > 0; left--) {
            moments.add(from + random.nextLong(oneIn(2) ? 100 : 1L << 30), value());
        }
        return moments.build();
    }

    private String name() {
        return hostile ? pick(HOSTILE) : "name-" + random.nextInt(5);
    }

    private boolean oneIn(int n) {
        return random.nextInt(n) == 0;
    }

    private <T> T pick(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }
}
