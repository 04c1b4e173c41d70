package dev.heatline.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * JFR files to be joined. A recording is a sequence of chunks that know nothing of each other, so
 * joining is copying, as long as every file ends where its last chunk does.
 */
final class Recordings {
    private static final int MAGIC = 0x464c5200;

    /** Magic, version and size: all that is needed to step from chunk to chunk. */
    private static final int HEADER_BYTES = 16;

    private static final int SIZE_AT = 8;

    private final List<Path> files;

    private Recordings(List<Path> files) {
        this.files = files;
    }

    /**
     * @throws CommandException if one of them is no recording, or has no proper end
     */
    static Recordings of(List<Path> files) {
        for (Path file : files) {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
                check(file, channel);
            } catch (NoSuchFileException e) {
                throw new CommandException(file + ": no such file");
            } catch (IOException e) {
                throw new CommandException(file + ": " + e.getMessage());
            }
        }
        return new Recordings(List.copyOf(files));
    }

    private static void check(Path file, FileChannel channel) throws IOException {
        long end = channel.size();
        long at = 0;
        do {
            ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES);
            int read = channel.read(header, at);
            if (read < HEADER_BYTES || header.getInt(0) != MAGIC) {
                throw new CommandException(
                        file
                                + ": no JFR chunk at byte "
                                + at
                                + "; recordings alone can be joined into a .jfr, use -o OUT.heat");
            }
            long size = header.getLong(SIZE_AT);
            if (size < HEADER_BYTES || size > end - at) {
                throw new CommandException(
                        file
                                + ": the chunk at byte "
                                + at
                                + " was never finished, nothing can follow it; use -o OUT.heat");
            }
            at += size;
        } while (at < end);
    }

    void writeTo(OutputStream out) throws IOException {
        for (Path file : files) {
            Files.copy(file, out);
        }
    }
}
