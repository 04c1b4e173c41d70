package dev.heatline.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * The chunks of a finished recording, written once more as the JVM wrote them: flush by flush. With
 * every flush the JVM puts a copy of the chunk's header, as it was then, into the chunk itself; so
 * every state that the file once had can be made again.
 */
final class GrowingFiles {
    private static final int HEADER_BYTES = 68;
    private static final int SIZE = 8;

    /** Offset of the byte that is 0 once a chunk is finished, and changes with every flush. */
    private static final int STATE = 64;

    private static final int MAGIC = 'F' << 24 | 'L' << 16 | 'R' << 8;

    /**
     * A state of a chunk's file.
     *
     * @param chunk offset of the chunk in the recording
     * @param header offset of the header that the file had then
     * @param bytes how long it was
     */
    private record Flush(int chunk, int header, int bytes) {

        boolean isLast() {
            return header == chunk;
        }
    }

    private final ByteBuffer recording;
    private final Path folder;
    private final List<Flush> flushes = new ArrayList<>();
    private int next;
    private int files;
    private int written;

    /**
     * @param folder where the chunks grow
     */
    GrowingFiles(Path recording, Path folder) throws IOException {
        this.recording = ByteBuffer.wrap(Files.readAllBytes(recording));
        this.folder = folder;
        int chunk = 0;
        while (chunk < this.recording.limit()) {
            chunk = addChunk(chunk);
        }
    }

    private int addChunk(int chunk) {
        int end = chunk + (int) recording.getLong(chunk + SIZE);
        for (int at = chunk + 1; at <= end - HEADER_BYTES; at++) {
            if (recording.get(at) == 'F'
                    && recording.getInt(at) == MAGIC
                    && recording.getLong(at + SIZE) == at + HEADER_BYTES - chunk) {
                flushes.add(new Flush(chunk, at, at + HEADER_BYTES - chunk));
            }
        }
        flushes.add(new Flush(chunk, chunk, end - chunk));
        return end;
    }

    /** Begins anew, in other files; those of before are deleted. */
    void begin() throws IOException {
        next = 0;
        try (DirectoryStream<Path> old = Files.newDirectoryStream(folder)) {
            for (Path file : old) {
                Files.delete(file);
            }
        }
    }

    /** Writes one flush more; false if there is none. */
    boolean grow() throws IOException {
        if (next == flushes.size()) {
            return false;
        }
        Flush flush = flushes.get(next);
        if (next == 0 || flush.chunk() != flushes.get(next - 1).chunk()) {
            files++;
            written = HEADER_BYTES;
        }
        next++;
        Path file = folder.resolve("%08d.jfr".formatted(files));
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.CREATE)) {
            channel.write(
                    recording.slice(flush.chunk() + written, flush.bytes() - written), written);
            written = flush.bytes();
            channel.write(header(flush), 0);
        }
        return true;
    }

    private ByteBuffer header(Flush flush) {
        ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES);
        header.put(0, recording, flush.header(), HEADER_BYTES);
        header.put(STATE, (byte) (flush.isLast() ? 0 : 1 + next % 200));
        return header;
    }
}
