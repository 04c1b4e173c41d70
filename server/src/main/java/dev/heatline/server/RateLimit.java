package dev.heatline.server;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A token bucket for each client: so many requests a second, and twice as many at once after a
 * pause. Remembers the latest clients only, so that inventing addresses does not fill the memory.
 */
final class RateLimit {
    private static final int MAX_CLIENTS = 10_000;
    private static final double NANOS_PER_SECOND = 1e9;

    private final int perSecond;
    private final Map<String, Bucket> buckets = new LinkedHashMap<>(16, 0.75f, true);

    private static final class Bucket {
        private double left;
        private long filledAtNanos;

        private Bucket(double left, long filledAtNanos) {
            this.left = left;
            this.filledAtNanos = filledAtNanos;
        }
    }

    /**
     * @param perSecond 0 for any number
     */
    RateLimit(int perSecond) {
        this.perSecond = perSecond;
    }

    /** Whether this client may ask once more now. */
    synchronized boolean allows(String client, long nowNanos) {
        if (perSecond == 0) {
            return true;
        }
        Bucket bucket = buckets.computeIfAbsent(client, _ -> new Bucket(2.0 * perSecond, nowNanos));
        double refill = (nowNanos - bucket.filledAtNanos) / NANOS_PER_SECOND * perSecond;
        bucket.left = Math.min(2.0 * perSecond, bucket.left + refill);
        bucket.filledAtNanos = nowNanos;
        if (buckets.size() > MAX_CLIENTS) {
            buckets.remove(buckets.keySet().iterator().next());
        }
        if (bucket.left < 1) {
            return false;
        }
        bucket.left--;
        return true;
    }
}
