package dev.heatline.formats;

import java.util.List;
import java.util.function.LongConsumer;

/**
 * What to take from a file.
 *
 * @param events further JFR events to read, each {@code NAME} or {@code NAME:field}; the ones
 *     Heatline knows are always read
 * @param progress told the bytes read so far, from any thread
 */
public record ReadOptions(List<String> events, LongConsumer progress) {

    public static final ReadOptions DEFAULT = new ReadOptions(List.of(), _ -> {});

    public ReadOptions {
        events = List.copyOf(events);
    }
}
