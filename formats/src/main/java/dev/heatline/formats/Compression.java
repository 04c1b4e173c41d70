package dev.heatline.formats;

import com.github.luben.zstd.ZstdInputStream;
import com.github.luben.zstd.ZstdOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/** The wrappers any file may come in. Undone in memory, up to a limit. */
enum Compression {
    GZIP("gzip", ".gz", "1f8b") {
        @Override
        OutputStream pack(OutputStream target) throws IOException {
            return new GZIPOutputStream(target, BUFFER);
        }

        @Override
        InputStream unpack(InputStream packed) throws IOException {
            return new GZIPInputStream(packed, BUFFER);
        }
    },
    ZSTD("zstd", ".zst", "28b52ffd") {
        @Override
        OutputStream pack(OutputStream target) throws IOException {
            return new ZstdOutputStream(target);
        }

        @Override
        InputStream unpack(InputStream packed) throws IOException {
            return new ZstdInputStream(packed);
        }
    };

    private static final int BUFFER = 1 << 16;

    /** Java arrays end shortly before 2 GiB. */
    private static final int MAX_ARRAY = Integer.MAX_VALUE - 16;

    /** Wrappers inside wrappers are an accident at two and an attack beyond. */
    private static final int MAX_LAYERS = 2;

    private final String label;
    private final String ending;

    /** The bytes every such file starts with, in hex. */
    private final String magic;

    Compression(String label, String ending, String magic) {
        this.label = label;
        this.ending = ending;
        this.magic = magic;
    }

    /** What a name with this wrapper's ending says. */
    static @Nullable Compression ofName(String fileName) {
        for (Compression compression : values()) {
            if (fileName.endsWith(compression.ending)) {
                return compression;
            }
        }
        return null;
    }

    /** The name without the ending, which it must have. */
    String inner(String fileName) {
        return fileName.substring(0, fileName.length() - ending.length());
    }

    abstract OutputStream pack(OutputStream target) throws IOException;

    abstract InputStream unpack(InputStream packed) throws IOException;

    /**
     * The source itself, or an unpacked one if it is compressed.
     *
     * @throws FormatException if it is damaged or larger than the options allow
     */
    static Source unpacked(Source source, ReadOptions options) {
        Source inner = source;
        for (int layer = 0; layer < MAX_LAYERS; layer++) {
            Compression wrapper = around(inner.bytes());
            if (wrapper == null) {
                break;
            }
            inner = wrapper.undo(inner, options);
        }
        return inner;
    }

    private static @Nullable Compression around(MemorySegment bytes) {
        for (Compression compression : values()) {
            if (compression.isAround(bytes)) {
                return compression;
            }
        }
        return null;
    }

    private boolean isAround(MemorySegment bytes) {
        long size = Math.min(bytes.byteSize(), magic.length() / 2);
        byte[] start = bytes.asSlice(0, size).toArray(ValueLayout.JAVA_BYTE);
        return HexFormat.of().formatHex(start).equals(magic);
    }

    private Source undo(Source source, ReadOptions options) {
        int limit = (int) Math.min(MAX_ARRAY, options.maxUnpackedBytes());
        try (InputStream in = unpack(new SegmentStream(source.bytes()))) {
            byte[] content = new byte[(int) Math.min(limit, firstGuess(source))];
            int size = 0;
            int read;
            while ((read = in.read(content, size, content.length - size)) >= 0) {
                size += read;
                if (size == content.length) {
                    if (size == limit) {
                        throw new FormatException(
                                source.name()
                                        + ": unpacks to more than "
                                        + limit
                                        + " bytes, which is refused");
                    }
                    content = Arrays.copyOf(content, (int) Math.min(limit, size * 2L));
                }
            }
            return Source.of(source.name(), Arrays.copyOf(content, size));
        } catch (EOFException e) {
            throw new FormatException(source.name() + ": is cut off (" + label + ")");
        } catch (IOException e) {
            throw new FormatException(
                    source.name() + ": damaged " + label + " data: " + e.getMessage());
        }
    }

    private static long firstGuess(Source source) {
        return Math.max(BUFFER, source.bytes().byteSize() * 4);
    }
}
