package dev.heatline.collector.jvm;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.heatline.wire.SmallFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * What HotSpot tells about itself in {@code /tmp/hsperfdata_USER/PID}, the file that {@code jps}
 * reads. Only its texts are of interest; the JVM keeps writing its counters meanwhile.
 */
final class PerfData {
    private static final int MAGIC = 0xcafec0c0;
    private static final int HEADER = 32;
    private static final int ENTRY = 20;

    /** A JVM's file has 32 kB unless it was asked for more. */
    private static final int MAX_BYTES = 1 << 20;

    private PerfData() {}

    /** The texts by name; none if the file is not of this kind, or is still empty. */
    static Map<String, String> texts(Path file) throws IOException {
        ByteBuffer data = ByteBuffer.wrap(SmallFile.bytes(file, MAX_BYTES));
        if (data.limit() < HEADER || data.getInt(0) != MAGIC) {
            return Map.of();
        }
        data.order(data.get(4) == 0 ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
        Map<String, String> texts = new HashMap<>();
        int entry = data.getInt(24);
        int entries = data.getInt(28);
        for (int i = 0; i < entries && entry > 0 && entry <= data.limit() - ENTRY; i++) {
            int length = data.getInt(entry);
            if (length < ENTRY || length > data.limit() - entry) {
                break;
            }
            ByteBuffer bytes = data.slice(entry, length).order(data.order());
            int vector = bytes.getInt(8);
            if (vector > 0 && bytes.get(12) == 'B') {
                texts.put(text(bytes, bytes.getInt(4)), text(bytes, bytes.getInt(16)));
            }
            entry += length;
        }
        return texts;
    }

    /** Up to the zero that ends it. */
    private static String text(ByteBuffer entry, int start) {
        if (start < 0 || start > entry.limit()) {
            return "";
        }
        int end = start;
        while (end < entry.limit() && entry.get(end) != 0) {
            end++;
        }
        byte[] bytes = new byte[end - start];
        entry.get(start, bytes);
        return new String(bytes, UTF_8);
    }
}
