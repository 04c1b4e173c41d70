package dev.heatline.store;

/** Deletes the profiles of an execution that a time range touches. */
final class Removal {
    private final long endingAfter;
    private final long beginningBefore;
    private ExecutionRecord rest;
    private long firstLeft = Long.MAX_VALUE;
    private long lastLeft = Long.MIN_VALUE;

    /**
     * Of all profiles, those that end after a time and begin before another.
     *
     * @param execution as it is; the lock of its application must be held
     */
    Removal(ExecutionRecord execution, long endingAfter, long beginningBefore) {
        this.rest = execution;
        this.endingAfter = endingAfter;
        this.beginningBefore = beginningBefore;
    }

    /**
     * Puts into a batch that they go.
     *
     * @return how many uploads were in them
     */
    long remove(Reading reading, Batch batch) {
        long before = rest.uploads();
        for (Level level : Level.ALL) {
            remove(level, reading, batch);
        }
        long removed = before - rest.uploads();
        if (removed > 0) {
            byte[] key = Keys.execution(rest.application(), rest.execution());
            if (rest.isEmpty()) {
                batch.delete(key);
            } else {
                batch.put(key, rest.within(firstLeft, lastLeft).toBytes());
            }
        }
        return removed;
    }

    private void remove(Level level, Reading reading, Batch batch) {
        byte[] start = Keys.head(rest.application(), rest.number(), level, Long.MIN_VALUE);
        byte[] end = Keys.head(rest.application(), rest.number(), level, Long.MAX_VALUE);
        try (Scan scan = reading.scan(start, end)) {
            for (; scan.isValid(); scan.next()) {
                long from = Keys.fromNanos(scan.key());
                if (from >= beginningBefore) {
                    firstLeft = Math.min(firstLeft, from);
                    // All later ones are left, so the last one is what it was.
                    lastLeft = Long.MAX_VALUE;
                    return;
                }
                Head head = Head.read(scan.value());
                if (head.untilNanos() > endingAfter) {
                    Writer.delete(batch, rest.application(), scan.key(), head);
                    rest = rest.minus(level, head);
                } else {
                    firstLeft = Math.min(firstLeft, from);
                    lastLeft = Math.max(lastLeft, head.untilNanos());
                }
            }
        }
    }
}
