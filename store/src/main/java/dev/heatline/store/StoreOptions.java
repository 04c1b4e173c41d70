package dev.heatline.store;

import java.time.Duration;

/**
 * How long things are kept and how much memory and disk a store may take.
 *
 * @param minutes how long uploads are kept as they came; then they are merged by hour
 * @param hours how old hours may become; then they are merged by day
 * @param days how old anything may become; then it is deleted
 * @param uploadIds how long the ids of uploads are remembered, for repeats
 * @param maxBytes how much disk profiles may take; beyond it the oldest are deleted
 * @param dictionaryBytes how much memory a dictionary may take before a new one begins
 * @param dictionaryBytesInMemory how much all that are held in memory may take
 * @param nodesPerRollUp a roll-up that has so many takes in no more; what is left becomes another
 * @param blockCacheBytes memory for what was read
 * @param writeBufferBytes memory for what was written but is only in the log so far
 */
public record StoreOptions(
        Duration minutes,
        Duration hours,
        Duration days,
        Duration uploadIds,
        long maxBytes,
        long dictionaryBytes,
        long dictionaryBytesInMemory,
        int nodesPerRollUp,
        long blockCacheBytes,
        long writeBufferBytes) {

    /** Dictionaries may take a sixth of the memory: most of the work is done on them. */
    private static final int PART_OF_MEMORY = 6;

    public static final StoreOptions DEFAULT =
            new StoreOptions(
                    Duration.ofDays(2),
                    Duration.ofDays(30),
                    Duration.ofDays(400),
                    Duration.ofDays(7),
                    Long.MAX_VALUE,
                    40L << 20,
                    Runtime.getRuntime().maxMemory() / PART_OF_MEMORY,
                    1 << 20,
                    32L << 20,
                    32L << 20);

    public StoreOptions withAges(Duration newMinutes, Duration newHours, Duration newDays) {
        return new StoreOptions(
                newMinutes,
                newHours,
                newDays,
                uploadIds,
                maxBytes,
                dictionaryBytes,
                dictionaryBytesInMemory,
                nodesPerRollUp,
                blockCacheBytes,
                writeBufferBytes);
    }

    public StoreOptions withMaxBytes(long bytes) {
        return new StoreOptions(
                minutes,
                hours,
                days,
                uploadIds,
                bytes,
                dictionaryBytes,
                dictionaryBytesInMemory,
                nodesPerRollUp,
                blockCacheBytes,
                writeBufferBytes);
    }

    /** With dictionaries of this size, of which so much is held in memory. */
    public StoreOptions withDictionaries(long bytes, long inMemory) {
        return new StoreOptions(
                minutes,
                hours,
                days,
                uploadIds,
                maxBytes,
                bytes,
                inMemory,
                nodesPerRollUp,
                blockCacheBytes,
                writeBufferBytes);
    }

    public StoreOptions withNodesPerRollUp(int nodes) {
        return new StoreOptions(
                minutes,
                hours,
                days,
                uploadIds,
                maxBytes,
                dictionaryBytes,
                dictionaryBytesInMemory,
                nodes,
                blockCacheBytes,
                writeBufferBytes);
    }
}
