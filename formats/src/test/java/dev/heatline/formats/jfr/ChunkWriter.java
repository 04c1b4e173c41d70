package dev.heatline.formats.jfr;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Writes small chunks by hand, for what no JVM writes: other field orders, plain integers. */
final class ChunkWriter {
    private final boolean compressed;
    private final ByteArrayOutputStream events = new ByteArrayOutputStream();
    private final List<String> strings = new ArrayList<>();

    ChunkWriter(boolean compressed) {
        this.compressed = compressed;
    }

    /** Fields of an event or constant in the order they are written. */
    final class Fields {
        private final ByteArrayOutputStream out = new ByteArrayOutputStream();

        Fields longValue(long value) {
            return integer(value, 8);
        }

        Fields intValue(int value) {
            return integer(value, 4);
        }

        Fields byteValue(int value) {
            out.write(value);
            return this;
        }

        Fields text(String value) {
            byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
            out.write(Text.UTF_8);
            intValue(bytes.length);
            out.writeBytes(bytes);
            return this;
        }

        private Fields integer(long value, int width) {
            if (!compressed) {
                for (int i = width - 1; i >= 0; i--) {
                    out.write((int) (value >>> (8 * i)));
                }
                return this;
            }
            long rest = value;
            for (int i = 0; i < 8 && (rest & ~0x7FL) != 0; i++) {
                out.write((int) (rest & 0x7F) | 0x80);
                rest >>>= 7;
            }
            out.write((int) rest);
            return this;
        }
    }

    Fields fields() {
        return new Fields();
    }

    /** Adds an event. */
    ChunkWriter event(long type, Consumer<Fields> content) {
        events.writeBytes(event(type, content, compressed ? 1 : 4));
        return this;
    }

    private byte[] event(long type, Consumer<Fields> content, int sizeBytes) {
        Fields body = fields();
        body.longValue(type);
        content.accept(body);
        int size = body.out.size() + sizeBytes;
        if (compressed && sizeBytes == 1 && size > 127) {
            return event(type, content, 2);
        }
        Fields whole = fields();
        whole.intValue(size);
        whole.out.writeBytes(body.out.toByteArray());
        return whole.out.toByteArray();
    }

    /**
     * The finished chunk.
     *
     * @param metadata the element tree, see {@link #element}
     */
    byte[] finish(Consumer<Fields> metadata) {
        Fields tree = fields();
        metadata.accept(tree);
        byte[] metadataEvent =
                event(
                        Metadata.EVENT_TYPE,
                        f -> {
                            f.longValue(0).longValue(0).longValue(1).intValue(strings.size());
                            strings.forEach(f::text);
                            f.out.writeBytes(tree.out.toByteArray());
                        },
                        compressed ? 2 : 4);
        ByteBuffer chunk =
                ByteBuffer.allocate(Chunk.HEADER_BYTES + events.size() + metadataEvent.length);
        chunk.putInt(Chunk.MAGIC).putShort((short) 2).putShort((short) 1).putLong(chunk.capacity());
        chunk.putLong(0).putLong(Chunk.HEADER_BYTES + events.size());
        chunk.putLong(1_000_000_000L).putLong(5_000_000_000L).putLong(0).putLong(1_000_000_000L);
        chunk.putInt(compressed ? 1 : 0);
        return chunk.put(events.toByteArray()).put(metadataEvent).array();
    }

    /** Writes a metadata element with attributes given as name, value, name, value … */
    void element(Fields out, String name, List<String> attributes, List<Runnable> children) {
        out.intValue(index(name)).intValue(attributes.size() / 2);
        attributes.forEach(text -> out.intValue(index(text)));
        out.intValue(children.size());
        children.forEach(Runnable::run);
    }

    private int index(String text) {
        if (!strings.contains(text)) {
            strings.add(text);
        }
        return strings.indexOf(text);
    }
}
