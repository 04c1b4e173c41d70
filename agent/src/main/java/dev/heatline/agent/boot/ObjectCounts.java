package dev.heatline.agent.boot;

/** How many objects the nodes of a tree have made, at one moment. */
public final class ObjectCounts {
    private final long[] made;
    private final long[] gone;
    private final long[] goneTracked;

    ObjectCounts(long[] made, long[] gone, long[] goneTracked) {
        this.made = made;
        this.gone = gone;
        this.goneTracked = goneTracked;
    }

    /** How many objects were whole that a node has made, while some were tracked. */
    public long made(int node) {
        return Numbers.of(made, node);
    }

    /** How many of them are gone, as far as those tell that were tracked. */
    public long gone(int node) {
        return Numbers.of(gone, node);
    }

    /** How many of those that were tracked are gone. */
    public long goneTracked(int node) {
        return Numbers.of(goneTracked, node);
    }
}
