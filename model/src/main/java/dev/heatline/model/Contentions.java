package dev.heatline.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * Contentions put together by any aspects in any order (001 §4.3.2). A contention is broken down
 * first by the first aspect, within that by the second, and so on; the result is a Profile, so
 * every report, comparison and format can show it.
 */
public final class Contentions {

    /** Between the methods of a call chain that stands for one consumer, innermost first. */
    public static final String CALLED_BY = " ← ";

    private static final Consumer NO_CHAIN = Consumer.label("[no call chain]");
    private static final Consumer NO_THREAD = Consumer.label("[unknown thread]");

    private final Profile profile;
    private final int root;

    private Contentions(Profile profile) {
        this.profile = profile;
        this.root = root(profile);
    }

    /** Whether a Profile has contentions in it. */
    public static boolean areIn(Profile profile) {
        return root(profile) != Profile.NO_NODE;
    }

    /**
     * The contentions of a Profile, by these aspects. O(contexts of contentions).
     *
     * @throws ModelException if there are none in it
     */
    public static Profile by(Profile profile, List<ContentionAspect> aspects) {
        Contentions contentions = new Contentions(profile);
        if (contentions.root == Profile.NO_NODE) {
            throw new ModelException(
                    "there are no traced contentions in this profile; heatline locks makes one");
        }
        return contentions.arranged(aspects);
    }

    /**
     * Profiles of the same JVM in one, some of them with contentions. The tracer knows threads by
     * name only; they become those of that name in the others, so that a thread is not two.
     */
    public static Profile merge(List<Profile> profiles) {
        ProfileBuilder builder = new ProfileBuilder();
        Provenance provenance = Provenance.NONE;
        List<Profile> contentions = new ArrayList<>();
        for (Profile profile : profiles) {
            provenance = provenance.merge(profile.provenance());
            if (areIn(profile)) {
                contentions.add(profile);
            } else {
                builder.addAll(profile);
            }
        }
        for (Profile profile : contentions) {
            addTo(builder, profile, UnaryOperator.identity());
        }
        Operations.label(builder, profiles);
        return builder.build(provenance);
    }

    /**
     * Adds contentions to what was seen of the same JVM in another way, as {@link #merge} does.
     *
     * @param naming of the consumers, as the others are named already
     */
    public static void addTo(
            ProfileBuilder builder, Profile contentions, UnaryOperator<Consumer> naming) {
        Map<String, Consumer> threads = new HashMap<>();
        for (Consumer known : builder.consumers()) {
            if (known.type() == ConsumerType.THREAD && !known.owner().isEmpty()) {
                threads.putIfAbsent(known.name(), known);
            }
        }
        builder.addAll(contentions, one -> naming.apply(known(one, threads)));
    }

    private static Consumer known(Consumer one, Map<String, Consumer> threads) {
        return one.type() == ConsumerType.THREAD && one.owner().isEmpty()
                ? threads.getOrDefault(one.name(), one)
                : one;
    }

    private static int root(Profile profile) {
        int wanted = profile.idOf(ContentionBuilder.ROOT);
        if (wanted >= 0) {
            for (int node = 1; node < profile.nodeCount(); node = profile.end(node)) {
                if (profile.consumer(node) == wanted) {
                    return node;
                }
            }
        }
        return Profile.NO_NODE;
    }

    private Profile arranged(List<ContentionAspect> aspects) {
        ProfileBuilder builder =
                new ProfileBuilder()
                        .consumerLabel(
                                aspects.stream()
                                        .map(ContentionAspect::label)
                                        .collect(Collectors.joining(", ")));
        for (Column column : profile.columns()) {
            ColumnBuilder target = builder.column(column.resource());
            Path path = new Path();
            int at = Profile.NO_NODE;
            for (int row = 0; row < column.rows(); row++) {
                int node = column.node(row);
                if (node <= root || node >= profile.end(root)) {
                    continue;
                }
                if (node != at) {
                    path = pathOf(node);
                    at = node;
                }
                int thread = column.thread(row);
                Consumer blocked =
                        thread == Column.NO_THREAD ? NO_THREAD : profile.consumerAt(thread);
                int place = Profile.ROOT;
                for (ContentionAspect aspect : aspects) {
                    place = path.enter(builder, place, aspect, blocked);
                }
                target.add(place, builder.consumer(blocked), column.value(row));
            }
        }
        return builder.build(profile.provenance());
    }

    private Path pathOf(int node) {
        List<Integer> nodes = new ArrayList<>();
        for (int at = node; at != root; at = profile.parent(at)) {
            nodes.add(at);
        }
        Path path = new Path();
        for (int at : nodes.reversed()) {
            path.add(profile.consumerOf(at));
        }
        if (path.owner.isEmpty()) {
            throw new ModelException(
                    "contentions that were grouped or pruned cannot be put in another order");
        }
        return path;
    }

    /** What {@link ContentionBuilder} entered for one contention. */
    private static final class Path {
        private static final int LOCK_LEVELS = 4;

        private final List<Consumer> lock = new ArrayList<>();
        private final List<Consumer> blockedChain = new ArrayList<>();
        private final List<Consumer> owner = new ArrayList<>();
        private final List<Consumer> ownerChain = new ArrayList<>();

        void add(Consumer consumer) {
            if (lock.size() < LOCK_LEVELS) {
                lock.add(consumer);
            } else if (!consumer.isMethod()) {
                owner.add(consumer);
            } else if (owner.isEmpty()) {
                blockedChain.add(consumer);
            } else {
                ownerChain.add(consumer);
            }
        }

        int enter(ProfileBuilder builder, int parent, ContentionAspect aspect, Consumer blocked) {
            return builder.child(parent, builder.consumer(value(aspect, blocked)), Site.NONE);
        }

        private Consumer value(ContentionAspect aspect, Consumer blocked) {
            return switch (aspect) {
                case KIND -> lock.get(0);
                case LOCK_CLASS -> lock.get(1);
                case LOCK -> lock.get(2);
                case DURATION -> lock.get(3);
                case BLOCKED_THREAD -> blocked;
                case BLOCKED_METHOD -> method(blockedChain, NO_CHAIN);
                case BLOCKED_CHAIN -> chain(blockedChain, NO_CHAIN);
                case OWNER_THREAD -> owner.getFirst();
                case OWNER_METHOD -> method(ownerChain, nobody());
                case OWNER_CHAIN -> chain(ownerChain, nobody());
            };
        }

        /** Where the owner is not known, that is what its method and chain are called too. */
        private Consumer nobody() {
            Consumer who = owner.getFirst();
            return who.type() == ConsumerType.THREAD ? NO_CHAIN : who;
        }

        private static List<Consumer> used(List<Consumer> chain) {
            int end = chain.size();
            while (end > 1 && isSynchronizer(chain.get(end - 1))) {
                end--;
            }
            return chain.subList(0, end);
        }

        /** How locks do their work is no help to people who use them. */
        private static boolean isSynchronizer(Consumer method) {
            String owner = method.owner();
            return owner.startsWith("java.util.concurrent.locks.")
                    || owner.startsWith("jdk.internal.misc.")
                    || owner.startsWith("jdk.internal.vm.")
                    || owner.startsWith("java.lang.VirtualThread")
                    || owner.equals("java.lang.Object")
                    || owner.equals("java.lang.System$1")
                    || owner.equals("java.util.concurrent.ForkJoinPool");
        }

        private static Consumer method(List<Consumer> chain, Consumer otherwise) {
            return chain.isEmpty() ? otherwise : used(chain).getLast();
        }

        /** The whole chain as one consumer. */
        private static Consumer chain(List<Consumer> chain, Consumer otherwise) {
            return chain.isEmpty()
                    ? otherwise
                    : Consumer.label(
                            used(chain).reversed().stream()
                                    .map(Consumer::display)
                                    .collect(Collectors.joining(CALLED_BY)));
        }
    }
}
