package dev.heatline.formats.jfr;

import java.util.HashMap;
import java.util.Map;

/**
 * How much each thread had allocated when a chunk began. The JVM says it of all threads at once,
 * when the chunk begins and again when it ends, and what it says last may come first in the file.
 * As soon as a thread comes a second time, the chunk ends: what is said then or later is of no use,
 * not even of threads that come for the first time, since they were started in between.
 */
final class AllocatedBefore {
    private final Map<Long, Said> byThread = new HashMap<>();

    /** When the JVM said something of a thread for the second time. */
    private long againTicks = Long.MAX_VALUE;

    private record Said(long ticks, long bytes) {}

    /**
     * Adds what the JVM said of a thread.
     *
     * @param ticks when it did, by the clock of the chunk
     */
    void add(long thread, long ticks, long bytes) {
        Said now = new Said(ticks, bytes);
        Said known = byThread.putIfAbsent(thread, now);
        if (known != null) {
            againTicks = Math.min(againTicks, Math.max(known.ticks, ticks));
            if (ticks < known.ticks) {
                byThread.put(thread, now);
            }
        }
    }

    /** The bytes that a thread had allocated; 0 if nothing was said of it. */
    long bytes(long thread) {
        Said said = byThread.get(thread);
        return said == null || said.ticks >= againTicks ? 0 : said.bytes;
    }
}
