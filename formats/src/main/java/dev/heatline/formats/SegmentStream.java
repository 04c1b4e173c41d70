package dev.heatline.formats;

import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The bytes of a mapped file as a stream. */
final class SegmentStream extends InputStream {
    private final MemorySegment bytes;
    private long at;

    SegmentStream(MemorySegment bytes) {
        this.bytes = bytes;
    }

    @Override
    public int read() {
        return at == bytes.byteSize() ? -1 : bytes.get(ValueLayout.JAVA_BYTE, at++) & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int length) {
        if (length == 0) {
            return 0;
        }
        int count = (int) Math.min(length, bytes.byteSize() - at);
        if (count == 0) {
            return -1;
        }
        MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, at, target, offset, count);
        at += count;
        return count;
    }

    @Override
    public int available() {
        return (int) Math.min(Integer.MAX_VALUE, bytes.byteSize() - at);
    }
}
