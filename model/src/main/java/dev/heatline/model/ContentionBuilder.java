package dev.heatline.model;

import java.util.HashMap;
import java.util.Map;

/**
 * Enters contentions into a Profile, with all that is known of them, so that {@link Contentions}
 * can put them in any order later.
 *
 * <p>Their tree hangs below {@link #ROOT}. The path of a contention is its kind, the lock's class,
 * the lock, the duration, the frames of the blocked thread, outermost first, the owner (a thread,
 * or one of the labels here) and the owner's frames. The thread of its row is the one that was
 * blocked. What is known of holding a lock has no frames of a blocked thread, and its row is the
 * owner's.
 */
public final class ContentionBuilder {

    /** Above all contentions. */
    public static final Consumer ROOT = Consumer.label("[contentions]");

    /** The owner of a lock while nobody is known to have had it. */
    public static final Consumer UNKNOWN_OWNER = Consumer.label("[unknown owner]");

    /** The owner of a lock between the moment it was left and the moment the next had it. */
    public static final Consumer HANDOVER = Consumer.label("[handed over]");

    /** Threads that could not go on because others had a lock. */
    public static final Resource CONTENTIONS = Resource.count("contentions");

    public static final Resource BLOCKED = Resource.seconds("blocked", CONTENTIONS.name());

    /** Threads that waited for a condition, a permit, a result: mostly because they are idle. */
    public static final Resource WAITS = Resource.count("waits");

    public static final Resource WAITED = Resource.seconds("waited", WAITS.name());

    /** How long locks were held while others wanted them. */
    public static final Resource HOLDS = Resource.count("holds");

    public static final Resource HELD = Resource.seconds("held", HOLDS.name());

    private final ProfileBuilder builder;
    private final int root;
    private final Map<CallChain, int[]> frames = new HashMap<>();

    /**
     * The lock of a contention.
     *
     * @param kind such as {@code monitor}
     * @param className with dots
     * @param name what tells it from others of its class
     */
    public record Lock(String kind, String className, String name) {}

    /**
     * Who had a lock.
     *
     * @param who a thread, {@link #UNKNOWN_OWNER} or {@link #HANDOVER}
     */
    public record Owner(Consumer who, CallChain chain) {
        public static final Owner UNKNOWN = new Owner(UNKNOWN_OWNER, CallChain.NONE);
        public static final Owner NOBODY = new Owner(HANDOVER, CallChain.NONE);
    }

    public ContentionBuilder(ProfileBuilder builder) {
        this.builder = builder;
        this.root = builder.child(Profile.ROOT, builder.consumer(ROOT), Site.NONE);
    }

    /**
     * A part of a contention: what one owner caused.
     *
     * @param time {@link #BLOCKED} or {@link #WAITED}
     * @param durationNanos of the whole contention
     * @param counted whether the contention as a whole counts here; in one of its parts it must
     * @param nanos this part
     */
    public void add(
            Resource time,
            Lock lock,
            long durationNanos,
            Consumer blocked,
            CallChain blockedChain,
            Owner owner,
            boolean counted,
            long nanos) {
        int below = enter(lockNode(lock, durationNanos), blockedChain);
        addRows(time, ownerNode(below, owner), blocked, counted, nanos);
    }

    /** An owner had a lock for so long, of which others were waiting for {@code nanos}. */
    public void addHold(Lock lock, Owner owner, long nanos) {
        int node = ownerNode(lockNode(lock, nanos), owner);
        addRows(HELD, node, owner.who(), true, nanos);
    }

    private void addRows(Resource time, int node, Consumer thread, boolean counted, long nanos) {
        int threadId = builder.consumer(thread);
        if (counted) {
            Resource count = Resource.count(time.occurrences());
            builder.column(count).add(node, threadId, 1);
        }
        if (nanos > 0) {
            builder.column(time).add(node, threadId, nanos);
        }
    }

    private int lockNode(Lock lock, long durationNanos) {
        int kind = child(root, Consumer.label(lock.kind()));
        int lockClass =
                child(kind, new Consumer(ConsumerType.LOCK_CLASS, "", lock.className(), ""));
        int object = child(lockClass, new Consumer(ConsumerType.LOCK, "", lock.name(), ""));
        return child(object, Consumer.label(duration(durationNanos)));
    }

    private int ownerNode(int below, Owner owner) {
        return enter(child(below, owner.who()), owner.chain());
    }

    private int child(int parent, Consumer consumer) {
        return builder.child(parent, builder.consumer(consumer), Site.NONE);
    }

    private int enter(int below, CallChain chain) {
        int[] ids = framesOf(chain);
        return builder.stack(below, ids, ids.length);
    }

    private int[] framesOf(CallChain chain) {
        return frames.computeIfAbsent(
                chain,
                _ -> {
                    int[] ids = new int[chain.methods().size()];
                    for (int i = 0; i < ids.length; i++) {
                        ids[i] =
                                builder.frame(
                                        builder.consumer(chain.methods().get(i)),
                                        Site.of(chain.lines().get(i), FrameKind.UNKNOWN));
                    }
                    return ids;
                });
    }

    /** The bucket of a duration, such as {@code 1-2 ms}: bounds are 1, 2 and 5 of every decade. */
    static String duration(long nanos) {
        if (nanos < 1_000) {
            return "< 1 us";
        }
        long decade = 1;
        while (decade <= nanos / 10) {
            decade *= 10;
        }
        long first = nanos / decade;
        long least = first < 2 ? 1 : first < 5 ? 2 : 5;
        long most = least == 2 ? 5 : 2 * least;
        long unit =
                decade < 1_000_000
                        ? 1_000
                        : decade < Resource.NANOS_PER_SECOND
                                ? 1_000_000
                                : Resource.NANOS_PER_SECOND;
        String name = unit == 1_000 ? " us" : unit == 1_000_000 ? " ms" : " s";
        return least * decade / unit + "-" + most * decade / unit + name;
    }
}
