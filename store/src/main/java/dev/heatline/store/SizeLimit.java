package dev.heatline.store;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Says what has to go when there is too much. Applications share the disk fairly: who has less than
 * an equal share keeps everything, the others lose their oldest profiles until they have no more
 * than each other. The newest minute of each stays.
 */
final class SizeLimit {

    /** How far below the limit to go, so that the next upload is not already too much. */
    private static final double HEADROOM = 0.9;

    private static final long MINUTE = Duration.ofMinutes(1).toNanos();

    private final Engine engine;
    private final long maxBytes;

    SizeLimit(Engine engine, long maxBytes) {
        this.engine = engine;
        this.maxBytes = maxBytes;
    }

    /** For applications that have too much, the time that what began before it has to go. */
    Map<Application, Long> cuts(Collection<Application> applications) {
        Map<Application, Long> cuts = new HashMap<>();
        if (maxBytes == Long.MAX_VALUE || engine.bytesOnDisk() <= maxBytes) {
            return cuts;
        }
        long onDisk = engine.bytesOfTables();
        long profiles = engine.bytesOf(Keys.HEAD, Keys.BODY, Keys.SECONDS, Keys.BY_UPLOAD);
        // Names and upload ids cannot be cut, so they must not use up what profiles may have.
        long room = Math.max(maxBytes - (onDisk - profiles), maxBytes / 2);
        if (profiles <= room) {
            return cuts;
        }
        try (Reading reading = engine.read()) {
            Map<Application, NavigableMap<Long, Long>> byMinute = new HashMap<>();
            applications.forEach(one -> byMinute.put(one, bytesByMinute(reading, one.number())));
            List<Long> sizes = byMinute.values().stream().map(SizeLimit::sum).sorted().toList();
            long total = sizes.stream().mapToLong(Long::longValue).sum();
            long share = fairShare(sizes, (long) (total * (HEADROOM * room / profiles)));
            byMinute.forEach(
                    (application, minutes) -> {
                        if (sum(minutes) > share) {
                            cuts.put(application, cut(minutes, share));
                        }
                    });
        }
        return cuts;
    }

    /** The size that all may have so that together they have no more than this. */
    static long fairShare(List<Long> ascendingSizes, long together) {
        long left = together;
        for (int i = 0; i < ascendingSizes.size(); i++) {
            long share = left / (ascendingSizes.size() - i);
            if (ascendingSizes.get(i) > share) {
                return share;
            }
            left -= ascendingSizes.get(i);
        }
        return Long.MAX_VALUE;
    }

    /** Bytes before compression, by the beginning of the minute that profiles begin in. */
    private static NavigableMap<Long, Long> bytesByMinute(Reading reading, long application) {
        TreeMap<Long, Long> minutes = new TreeMap<>();
        byte[] start = Keys.of(Keys.HEAD, application);
        try (Scan scan = reading.scan(start, Keys.after(start))) {
            for (; scan.isValid(); scan.next()) {
                long from = Keys.fromNanos(scan.key());
                minutes.merge(
                        from - Math.floorMod(from, MINUTE),
                        Head.read(scan.value()).bodyBytes(),
                        Long::sum);
            }
        }
        return minutes;
    }

    /** Of a share, however small, the newest minute is always taken. */
    private static long cut(NavigableMap<Long, Long> minutes, long share) {
        long cut = minutes.lastKey();
        long kept = 0;
        for (Map.Entry<Long, Long> minute : minutes.descendingMap().entrySet()) {
            kept += minute.getValue();
            if (kept > share) {
                return cut;
            }
            cut = minute.getKey();
        }
        return cut;
    }

    private static long sum(Map<Long, Long> minutes) {
        return minutes.values().stream().mapToLong(Long::longValue).sum();
    }
}
