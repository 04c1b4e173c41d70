package dev.heatline.formats.jfr;

import dev.heatline.formats.Format;
import dev.heatline.formats.FormatException;
import dev.heatline.formats.ReadOptions;
import dev.heatline.formats.Source;
import dev.heatline.formats.WriteOptions;
import dev.heatline.model.Profile;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Flight recordings of the JDK and of async-profiler. They are read, never written. */
public final class JfrFormat implements Format {
    private static final long SMALL_BYTES = 4 << 20;

    @Override
    public String name() {
        return "jfr";
    }

    @Override
    public List<String> extensions() {
        return List.of(".jfr");
    }

    @Override
    public boolean recognises(byte[] start) {
        return start.length >= 4
                && start[0] == 'F'
                && start[1] == 'L'
                && start[2] == 'R'
                && start[3] == 0;
    }

    @Override
    public Profile read(Source source, ReadOptions options) {
        return new Recording(source, options, workers(source)).read();
    }

    /** Starting threads and merging builders does not pay for a small file. */
    private static int workers(Source source) {
        return source.bytes().byteSize() < SMALL_BYTES
                ? 1
                : Runtime.getRuntime().availableProcessors();
    }

    @Override
    public boolean isWritable() {
        return false;
    }

    @Override
    public void write(Profile profile, OutputStream out, WriteOptions options) {
        throw new FormatException(
                "flight recordings cannot be written from a profile; use another format, such as"
                        + " .heat or .pb.gz");
    }

    /**
     * Puts recordings together into one. A recording is a sequence of chunks that know nothing of
     * each other, so this is copying, as long as every file ends where its last chunk does. All
     * files are checked before the first byte is written.
     *
     * @throws FormatException if one of them is no recording, or has no proper end
     */
    public static void concatenate(List<Path> in, OutputStream out) throws IOException {
        for (Path file : in) {
            try (Source source = Source.open(file)) {
                checkJoinable(file, source.bytes());
            }
        }
        for (Path file : in) {
            Files.copy(file, out);
        }
    }

    private static void checkJoinable(Path file, MemorySegment bytes) {
        long at = 0;
        do {
            long size = Chunk.sizeAt(bytes, at);
            if (size == Chunk.NO_CHUNK) {
                throw new FormatException(
                        file
                                + ": no JFR chunk at byte "
                                + at
                                + "; recordings alone can be joined into a .jfr, use -o OUT.heat");
            }
            if (size == Chunk.NO_SIZE) {
                throw new FormatException(
                        file
                                + ": the chunk at byte "
                                + at
                                + " was never finished, nothing can follow it; use -o OUT.heat");
            }
            at += size;
        } while (at < bytes.byteSize());
    }
}
