package dev.heatline.formats;

import java.io.ByteArrayOutputStream;
import java.util.HashMap;
import java.util.Map;

/** Collects a TextColumn of heat.proto. */
final class HeatTexts {

    /**
     * How much of a text may be taken from the one before. Names of Java are not longer, and a file
     * could otherwise double what it stands for with every byte.
     */
    static final int MAX_SHARED = 1 << 16;

    private final Map<String, Integer> known = new HashMap<>();
    private final Varints references = new Varints();
    private final Varints shared = new Varints();
    private final Varints lengths = new Varints();
    private final ByteArrayOutputStream text = new ByteArrayOutputStream();
    private byte[] last = new byte[0];

    void add(String value) {
        Integer place = known.putIfAbsent(value, known.size());
        if (place != null) {
            references.add(known.size() - place);
            return;
        }
        references.add(0);
        byte[] bytes = HeatText.encode(value);
        int common = 0;
        int limit = Math.min(MAX_SHARED, Math.min(last.length, bytes.length));
        while (common < limit && last[common] == bytes[common]) {
            common++;
        }
        shared.add(common);
        lengths.add(bytes.length - common);
        text.write(bytes, common, bytes.length - common);
        last = bytes;
    }

    Varints references() {
        return references;
    }

    Varints shared() {
        return shared;
    }

    Varints lengths() {
        return lengths;
    }

    byte[] text() {
        return text.toByteArray();
    }
}
