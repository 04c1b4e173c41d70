package dev.heatline.bench;

import dev.heatline.formats.CollapsedFormat;
import dev.heatline.formats.WriteOptions;
import dev.heatline.model.Profile;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;

/** Collapsed stacks of many profiles in one gzip stream, of which only the sizes are kept. */
final class CollapsedFile {
    private final WriteOptions options;
    private final Counter gzipped = new Counter(OutputStream.nullOutputStream());
    private final Counter text;

    /**
     * @param plain without threads, lines and kinds of frames
     */
    CollapsedFile(boolean plain) {
        options = new WriteOptions(Optional.of("samples"), plain);
        try {
            text = new Counter(new GZIPOutputStream(gzipped, 1 << 16));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void add(Profile profile) {
        try {
            new CollapsedFormat().write(profile, text, options);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What was added, as text. */
    long bytes() {
        return text.bytes;
    }

    /** The file's size; right once it is closed. */
    long gzippedBytes() {
        return gzipped.bytes;
    }

    void close() throws IOException {
        text.close();
    }

    private static final class Counter extends FilterOutputStream {
        private long bytes;

        Counter(OutputStream out) {
            super(out);
        }

        @Override
        public void write(int value) throws IOException {
            out.write(value);
            bytes++;
        }

        @Override
        public void write(byte[] buffer, int offset, int length) throws IOException {
            out.write(buffer, offset, length);
            bytes += length;
        }
    }
}
