package dev.heatline.store;

/**
 * Gives out numbers that no one had before, also after a crash: a block of them is reserved on disk
 * before the first is used, and what is left of it is lost with the process.
 */
final class Numbers {
    private static final long BLOCK = 1 << 16;

    private final Engine engine;
    private long next;
    private long limit;

    Numbers(Engine engine) {
        this.engine = engine;
        byte[] saved = engine.get(Keys.NUMBERS);
        next = saved == null ? 1 : new Input(saved).number();
        limit = next;
    }

    /** Reserves a new block before the next number is given out. */
    synchronized void reserveAgain() {
        limit = next;
    }

    synchronized long next() {
        if (next == limit) {
            try (Batch batch = new Batch()) {
                batch.put(Keys.NUMBERS, new Output().number(limit + BLOCK).toBytes());
                engine.write(batch);
            }
            limit += BLOCK;
        }
        return next++;
    }
}
