package dev.heatline.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The chunks of a finished recording, written again and again as the JVM wrote them: flush by
 * flush, each time as if it were a minute later. With every flush the JVM puts a copy of the
 * chunk's header, as it was then, into the chunk itself; so every state that the file once had can
 * be made again.
 */
final class GrowingFiles {
    private static final int HEADER_BYTES = 68;
    private static final int SIZE = 8;

    /** Offsets of when a chunk began: nanoseconds since 1970, and by the recorder's clock. */
    private static final int START_NANOS = 32;

    private static final int START_TICKS = 48;
    private static final int TICKS_PER_SECOND = 56;

    /** Offset of the byte that is 0 once a chunk is finished, and changes with every flush. */
    private static final int STATE = 64;

    private static final int MAGIC = 'F' << 24 | 'L' << 16 | 'R' << 8;

    private static final int SECONDS = 60;

    /** Who reads them may be behind. */
    private static final int MINUTES_KEPT = 3;

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
    private final long begunNanos = System.currentTimeMillis() * 1_000_000;
    private final long recordedNanos;
    private final List<Flush> flushes = new ArrayList<>();

    /** Of each minute that was begun, the newest last. */
    private final Deque<List<Path>> minutes = new ArrayDeque<>();

    private int minute = -1;
    private int next;
    private int files;
    private int written;

    /**
     * @param folder where the chunks grow
     */
    GrowingFiles(Path recording, Path folder) throws IOException {
        this.recording = ByteBuffer.wrap(Files.readAllBytes(recording));
        this.folder = folder;
        this.recordedNanos = this.recording.getLong(START_NANOS);
        int chunk = 0;
        while (chunk < this.recording.limit()) {
            chunk = addChunk(chunk);
        }
        next = flushes.size();
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

    /** How often a minute is flushed. */
    int flushes() {
        return flushes.size();
    }

    /** Begins the next minute, in files of its own; those of long ago are deleted. */
    void begin() throws IOException {
        next = 0;
        if (++minute > 0) {
            delay();
        }
        minutes.add(new ArrayList<>());
        if (minutes.size() > MINUTES_KEPT) {
            for (Path old : minutes.removeFirst()) {
                Files.delete(old);
            }
        }
    }

    /** Makes everything begin a minute later by the recorder's clock. */
    private void delay() {
        for (Flush flush : flushes) {
            if (flush.isLast()) {
                long ticks = SECONDS * recording.getLong(flush.chunk() + TICKS_PER_SECOND);
                int at = flush.chunk() + HEADER_BYTES;
                while (at < flush.chunk() + flush.bytes()) {
                    Varint size = Varint.at(recording, at);
                    Varint type = Varint.at(recording, size.end());
                    Varint.at(recording, type.end()).add(recording, ticks);
                    at += (int) size.value();
                }
            }
        }
    }

    /**
     * A number as recordings write them: seven bits a byte, the lowest first; the highest bit says
     * that another follows.
     */
    private record Varint(int start, int end, long value) {

        static Varint at(ByteBuffer bytes, int start) {
            long value = 0;
            int at = start;
            byte next;
            do {
                next = bytes.get(at);
                value |= (long) (next & 0x7F) << (7 * (at - start));
                at++;
            } while (next < 0);
            return new Varint(start, at, value);
        }

        /** Writes another one in its place, with as many bytes. */
        void add(ByteBuffer bytes, long more) {
            long left = value + more;
            for (int at = start; at < end - 1; at++) {
                bytes.put(at, (byte) ((left & 0x7F) | 0x80));
                left >>>= 7;
            }
            if (left > 0x7F) {
                throw new IllegalStateException("no room for more than an hour");
            }
            bytes.put(end - 1, (byte) left);
        }
    }

    /** Writes one flush more; false if the minute is over. */
    boolean grow() throws IOException {
        if (next == flushes.size()) {
            return false;
        }
        Flush flush = flushes.get(next);
        if (next == 0 || flush.chunk() != flushes.get(next - 1).chunk()) {
            minutes.getLast().add(folder.resolve("replayed-%08d.jfr".formatted(files++)));
            written = HEADER_BYTES;
        }
        next++;
        try (FileChannel channel =
                FileChannel.open(
                        minutes.getLast().getLast(),
                        StandardOpenOption.WRITE,
                        StandardOpenOption.CREATE)) {
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
        long seconds = (long) minute * SECONDS;
        long sinceFirst = header.getLong(START_NANOS) - recordedNanos;
        header.putLong(START_NANOS, begunNanos + sinceFirst + seconds * 1_000_000_000);
        long ticks = seconds * header.getLong(TICKS_PER_SECOND);
        header.putLong(START_TICKS, header.getLong(START_TICKS) + ticks);
        header.put(STATE, (byte) (flush.isLast() ? 0 : 1 + next % 200));
        return header;
    }
}
