package dev.heatline.store;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Says what has to go when there is too much. Applications share the disk fairly: who has less than
 * an equal share keeps everything, the others lose their oldest profiles until they have no more
 * than each other.
 */
final class SizeLimit {

    /** How far below the limit to go, so that the next upload is not already too much. */
    private static final double HEADROOM = 0.9;

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
        if (onDisk <= maxBytes) {
            return cuts;
        }
        try (Reading reading = engine.read()) {
            Map<Application, NavigableMap<Long, Long>> byHour = new HashMap<>();
            applications.forEach(one -> byHour.put(one, bytesByHour(reading, one.number())));
            List<Long> sizes = byHour.values().stream().map(SizeLimit::sum).sorted().toList();
            long total = sizes.stream().mapToLong(Long::longValue).sum();
            long share = fairShare(sizes, (long) (total * (HEADROOM * maxBytes / onDisk)));
            byHour.forEach(
                    (application, hours) -> {
                        if (sum(hours) > share) {
                            cuts.put(application, cut(hours, share));
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

    /** Bytes before compression, by the beginning of the hour that profiles begin in. */
    private static NavigableMap<Long, Long> bytesByHour(Reading reading, long application) {
        TreeMap<Long, Long> hours = new TreeMap<>();
        byte[] start = Keys.of(Keys.HEAD, application);
        try (Scan scan = reading.scan(start, Keys.after(start))) {
            for (; scan.isValid(); scan.next()) {
                hours.merge(
                        Level.HOUR.start(Keys.fromNanos(scan.key())),
                        Head.read(scan.value()).bodyBytes(),
                        Long::sum);
            }
        }
        return hours;
    }

    private static long cut(NavigableMap<Long, Long> hours, long share) {
        List<Long> newestFirst = new ArrayList<>(hours.descendingKeySet());
        long kept = 0;
        for (long hour : newestFirst) {
            kept += hours.getOrDefault(hour, 0L);
            if (kept > share) {
                return hour + Level.HOUR.nanos();
            }
        }
        return Long.MIN_VALUE;
    }

    private static long sum(Map<Long, Long> hours) {
        return hours.values().stream().mapToLong(Long::longValue).sum();
    }
}
