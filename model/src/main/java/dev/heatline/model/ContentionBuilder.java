package dev.heatline.model;

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

    /**
     * Some time.
     *
     * @param fromNanos when it began, nanoseconds since 1970
     */
    public record Span(long fromNanos, long nanos) {

        /** Takes how much of it lies in a second. */
        @FunctionalInterface
        public interface BySecond {
            void take(long second, long nanos);
        }

        /** The second since 1970 in which it began. */
        public long firstSecond() {
            return Math.floorDiv(fromNanos, Resource.NANOS_PER_SECOND);
        }

        /** Whether so few seconds have a part of it that they are worth telling. */
        public boolean isOfFewSeconds() {
            return nanos < RowSeconds.MOST_PER_ROW * Resource.NANOS_PER_SECOND;
        }

        /**
         * Tells how much of it lies in each second since 1970 that it has a part of, if those are
         * few.
         */
        public void bySecond(BySecond taker) {
            if (!isOfFewSeconds()) {
                return;
            }
            long at = fromNanos;
            long end = fromNanos + nanos;
            while (at < end) {
                long second = Math.floorDiv(at, Resource.NANOS_PER_SECOND);
                long next = Math.min(end, (second + 1) * Resource.NANOS_PER_SECOND);
                taker.take(second, next - at);
                at = next;
            }
        }
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
     * @param part when this part was, and how long
     */
    public void add(
            Resource time,
            Lock lock,
            long durationNanos,
            Consumer blocked,
            CallChain blockedChain,
            Owner owner,
            boolean counted,
            Span part) {
        int below = builder.stack(lockNode(lock, durationNanos), blockedChain);
        int node = ownerNode(below, owner);
        int thread = builder.consumer(blocked);
        if (counted) {
            builder.column(Resource.count(time.occurrences()))
                    .add(node, thread, 1, part.firstSecond());
        }
        ColumnBuilder column = builder.column(time);
        part.bySecond((second, nanos) -> column.add(node, thread, nanos, second));
        if (!part.isOfFewSeconds()) {
            column.add(node, thread, part.nanos);
        }
    }

    /** An owner had a lock for so long, of which others were waiting for {@code nanos}. */
    public void addHold(Lock lock, Owner owner, long nanos) {
        int node = ownerNode(lockNode(lock, nanos), owner);
        int thread = builder.consumer(owner.who());
        builder.column(HOLDS).add(node, thread, 1);
        builder.column(HELD).add(node, thread, nanos);
    }

    private int lockNode(Lock lock, long durationNanos) {
        int kind = child(root, Consumer.label(lock.kind()));
        int lockClass =
                child(kind, new Consumer(ConsumerType.LOCK_CLASS, "", lock.className(), ""));
        int object = child(lockClass, new Consumer(ConsumerType.LOCK, "", lock.name(), ""));
        return child(object, Consumer.label(duration(durationNanos)));
    }

    private int ownerNode(int below, Owner owner) {
        return builder.stack(child(below, owner.who()), owner.chain());
    }

    private int child(int parent, Consumer consumer) {
        return builder.child(parent, builder.consumer(consumer), Site.NONE);
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
