package dev.heatline.formats;

import java.util.List;
import java.util.function.LongConsumer;

/**
 * What to take from a file.
 *
 * @param events further JFR events to read, each {@code NAME} or {@code NAME:field}; the ones
 *     Heatline knows are always read
 * @param progress told the bytes read so far, from any thread
 * @param maxUnpackedBytes how large a compressed file may become; what is larger is refused before
 *     it fills the memory
 * @param classes whether the class that a JFR event is about (of what was allocated, locked, waited
 *     or parked for) stands below the method that did so
 * @param seconds whether the columns of a recording tell in which seconds they were observed
 */
public record ReadOptions(
        List<String> events,
        LongConsumer progress,
        long maxUnpackedBytes,
        boolean classes,
        boolean seconds) {

    /** 1 GiB, more than any profile needs. */
    public static final long DEFAULT_MAX_UNPACKED_BYTES = 1L << 30;

    public static final ReadOptions DEFAULT = new ReadOptions(List.of(), _ -> {});

    public ReadOptions {
        events = List.copyOf(events);
    }

    public ReadOptions(List<String> events, LongConsumer progress) {
        this(events, progress, DEFAULT_MAX_UNPACKED_BYTES, false, false);
    }

    public ReadOptions withMaxUnpackedBytes(long limit) {
        return new ReadOptions(events, progress, limit, classes, seconds);
    }

    public ReadOptions withClasses(boolean wanted) {
        return new ReadOptions(events, progress, maxUnpackedBytes, wanted, seconds);
    }

    public ReadOptions withSeconds() {
        return new ReadOptions(events, progress, maxUnpackedBytes, classes, true);
    }
}
