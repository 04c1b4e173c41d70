package dev.heatline.collector.locks;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heatline.formats.FormatException;
import dev.heatline.model.Consumer;
import dev.heatline.model.ContentionAspect;
import dev.heatline.model.Contentions;
import dev.heatline.model.Profile;
import dev.heatline.model.Provenance;
import dev.heatline.wire.LockTrace;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reading what a tracer writes, while it writes; here the test is the tracer. */
final class TraceReaderTest {
    private static final int BLOCKS = 4;
    private static final int DAMAGES = 5_000;

    @TempDir private Path folder;
    private final TraceNames names = new TraceNames();

    private Path newTrace() throws IOException {
        return newTrace(BLOCKS, 0);
    }

    /** Of which somebody looked at the first microsecond. */
    private Path newTrace(int blocks, long dropped) throws IOException {
        Path file = folder.resolve("trace");
        ByteBuffer header =
                ByteBuffer.allocate(LockTrace.HEADER_SIZE + blocks * LockTrace.BLOCK_SIZE)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putLong(0, LockTrace.MAGIC)
                        .putInt(LockTrace.BLOCK_COUNT, blocks)
                        .putLong(LockTrace.DROPPED, dropped)
                        .putLong(LockTrace.HEARTBEAT, 1_000);
        Files.write(file, header.array());
        return file;
    }

    /** Publishes bytes as the content of a block. */
    private static void write(Path file, int block, int kind, int state, byte... bytes)
            throws IOException {
        ByteBuffer header =
                ByteBuffer.allocate(LockTrace.BLOCK_HEADER_SIZE)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putInt(LockTrace.BLOCK_STATE, state)
                        .putInt(LockTrace.BLOCK_USED, bytes.length)
                        .putInt(LockTrace.BLOCK_KIND, kind)
                        .putLong(LockTrace.BLOCK_SERIAL, block + 1L);
        long at = LockTrace.HEADER_SIZE + (long) block * LockTrace.BLOCK_SIZE;
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(bytes), at + LockTrace.BLOCK_HEADER_SIZE);
            channel.write(header, at);
        }
    }

    private static int state(Path file, int block) throws IOException {
        return ByteBuffer.wrap(Files.readAllBytes(file))
                .order(ByteOrder.LITTLE_ENDIAN)
                .getInt(LockTrace.HEADER_SIZE + block * LockTrace.BLOCK_SIZE);
    }

    private static byte[] enter(int nanos, int thread, int lock, int sequence, int chain) {
        return new byte[] {
            LockTrace.ENTER, (byte) nanos, (byte) thread, (byte) lock, (byte) sequence, (byte) chain
        };
    }

    private static byte[] joined(byte[]... parts) {
        ByteBuffer all = ByteBuffer.allocate(LockTrace.BLOCK_SIZE);
        for (byte[] part : parts) {
            all.put(part);
        }
        byte[] bytes = new byte[all.position()];
        all.flip().get(bytes);
        return bytes;
    }

    private static List<LockEvent> read(TraceReader reader) {
        List<LockEvent> events = new ArrayList<>();
        reader.read(events::add);
        return events;
    }

    @Test
    void eachEventIsReadOnceAndFullBlocksAreGivenBack() throws IOException {
        Path file = newTrace();
        byte[] first = enter(5, 7, 1, 1, 0);
        byte[] second = enter(3, 7, 1, 2, 0);
        try (TraceReader reader = TraceReader.live(file, names)) {
            assertThat(read(reader)).isEmpty();

            write(file, 0, LockTrace.EVENTS, LockTrace.WRITING, first);
            assertThat(read(reader)).extracting(LockEvent::nanos).containsExactly(5L);
            assertThat(read(reader)).isEmpty();

            write(file, 0, LockTrace.EVENTS, LockTrace.FULL, joined(first, second));
            assertThat(read(reader)).extracting(LockEvent::nanos).containsExactly(8L);
            assertThat(state(file, 0)).isEqualTo(LockTrace.FREE);

            write(file, 0, LockTrace.EVENTS, LockTrace.WRITING, second);
            assertThat(read(reader)).extracting(LockEvent::nanos).containsExactly(3L);
        }
    }

    /** Thread 7, lock 9 and chains 4 and 5. */
    private static byte[] descriptions() {
        byte[] lockClass = "shop.Stock".getBytes(UTF_8);
        byte[] thread = "main".getBytes(UTF_8);
        byte[] method = "take".getBytes(UTF_8);
        byte[] descriptor = "()V".getBytes(UTF_8);
        return joined(
                new byte[] {LockTrace.CLASS, 1, (byte) lockClass.length},
                lockClass,
                new byte[] {LockTrace.THREAD, 7, (byte) thread.length},
                thread,
                new byte[] {0},
                new byte[] {LockTrace.METHOD, 2, 1, (byte) method.length},
                method,
                new byte[] {(byte) descriptor.length},
                descriptor,
                new byte[] {LockTrace.CHAIN, 4, 1, 2, 43, 0},
                new byte[] {LockTrace.CHAIN, 5, 1, 2, 43, 1},
                new byte[] {LockTrace.LOCK, 9, 1, 0x7b});
    }

    @Test
    void whatEventsReferToIsKnownWhenTheyAreRead() throws IOException {
        Path file = newTrace();
        write(file, 2, LockTrace.EVENTS, LockTrace.WRITING, enter(1, 7, 9, 1, 4));
        write(file, 3, LockTrace.METADATA, LockTrace.WRITING, descriptions());

        try (TraceReader reader = TraceReader.live(file, names)) {
            assertThat(read(reader)).hasSize(1);
        }

        assertThat(names.threadOf(7).name()).isEqualTo("main");
        assertThat(names.lockOf(9).name()).isEqualTo("Stock@7b");
        assertThat(names.chainOf(4).methods().getFirst().display()).isEqualTo("shop.Stock.take()");
        assertThat(names.chainOf(4).lines()).containsExactly(42);
        assertThat(names.chainOf(5).methods())
                .extracting(Consumer::display)
                .containsExactly("shop.Stock.take()", "[calls further out]");
    }

    /** A collector that holds too much finds out by this. */
    @Test
    void callChainsCountAsMemory() throws IOException {
        Path file = newTrace();
        try (LockAnalysis analysis = LockAnalysis.live(file)) {
            long before = analysis.size();
            write(file, 3, LockTrace.METADATA, LockTrace.WRITING, descriptions());
            analysis.look();
            assertThat(analysis.size() - before)
                    .as("take in two places, what is cut off, and two chains")
                    .isGreaterThanOrEqualTo(5);
        }
    }

    @Test
    void whatIsNoTraceIsRefused() throws IOException {
        Path shortFile = Files.write(folder.resolve("short"), new byte[10]);
        Path other = Files.write(folder.resolve("other"), new byte[LockTrace.HEADER_SIZE]);

        assertThatThrownBy(() -> TraceReader.live(shortFile, names))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining("too short");
        assertThatThrownBy(() -> TraceReader.live(other, names))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining("is no lock trace");
    }

    @Test
    void aTraceThatWasCutOffIsReadAsFarAsItGoes() throws IOException {
        Path file = newTrace();
        write(file, 0, LockTrace.EVENTS, LockTrace.FULL, enter(5, 7, 1, 1, 0));
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(LockTrace.HEADER_SIZE + LockTrace.BLOCK_SIZE + 100);
        }

        try (TraceReader reader = TraceReader.live(file, names)) {
            assertThat(reader.isCutOff()).isTrue();
            assertThat(read(reader)).hasSize(1);
        }
    }

    @Test
    void whatWasKeptReadsAsItWasWritten() throws IOException {
        Path file = newTrace();
        Path copy = folder.resolve("copy");
        byte[] first = enter(5, 7, 1, 1, 0);
        byte[] second = enter(3, 7, 1, 2, 0);
        try (TraceReader reader = TraceReader.live(file, names)) {
            reader.keepIn(copy);
            write(file, 0, LockTrace.EVENTS, LockTrace.FULL, first);
            read(reader);
            write(file, 0, LockTrace.EVENTS, LockTrace.WRITING, second);
            read(reader);
        }

        for (int times = 0; times < 2; times++) {
            try (TraceReader reader = TraceReader.kept(copy, names)) {
                assertThat(reader.isCutOff()).isFalse();
                assertThat(read(reader)).extracting(LockEvent::order).containsExactly(1L, 2L);
            }
        }
    }

    /** Who keeps it is killed: it ends in the middle, and has all that was read. */
    @Test
    void whatWasKeptUntilTheReaderDiedHasItsNames() throws IOException {
        Path file = newTrace();
        Path copy = folder.resolve("copy");
        byte[] first = enter(100, 7, 9, 1, 4);
        byte[] second = enter(100, 8, 9, 2, 4);
        TraceReader killed = TraceReader.live(file, names);
        killed.keepIn(copy);
        write(file, 0, LockTrace.EVENTS, LockTrace.WRITING, first);
        write(file, 1, LockTrace.METADATA, LockTrace.WRITING, descriptions());
        read(killed);
        write(file, 0, LockTrace.EVENTS, LockTrace.WRITING, joined(first, second));
        read(killed);

        assertWaits(copy, true, 900 + 800);
        killed.close();
        assertWaits(copy, false, 900 + 800);
    }

    /** Two threads want lock 9 and have not got it. */
    private static void assertWaits(Path copy, boolean cutOff, long nanos) {
        try (LockAnalysis analysis = LockAnalysis.kept(copy)) {
            assertThat(analysis.isCutOff()).isEqualTo(cutOff);
            analysis.end();
            Profile waits =
                    Contentions.by(
                            analysis.take(),
                            List.of(ContentionAspect.LOCK_CLASS, ContentionAspect.BLOCKED_METHOD));
            assertThat(waits.consumerOf(1).name()).isEqualTo("shop.Stock");
            assertThat(waits.consumerOf(2).display()).isEqualTo("shop.Stock.take()");
            assertThat(waits.requireColumn("blocked").total()).isEqualTo(cutOff ? 100 : nanos);
        }
    }

    /** The end of it may be in what is missing. */
    @Test
    void whoWaitsWhereATraceWasCutOffIsLeftOut() throws IOException {
        Path file = newTrace();
        write(file, 0, LockTrace.METADATA, LockTrace.FULL, descriptions());
        byte[] events =
                joined(
                        enter(100, 7, 9, 1, 4),
                        new byte[] {LockTrace.ENTERED, 5, 7, 9, 2},
                        enter(100, 8, 9, 3, 4),
                        enter(100, 7, 10, 1, 4));
        write(file, 1, LockTrace.EVENTS, LockTrace.FULL, events);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(LockTrace.HEADER_SIZE + 2 * LockTrace.BLOCK_SIZE + 100);
        }

        try (LockAnalysis analysis = LockAnalysis.kept(file)) {
            analysis.end();
            Profile waits = analysis.take();
            assertThat(waits.requireColumn("blocked").total()).isEqualTo(5);
            assertThat(waits.requireColumn("contentions").total()).isEqualTo(1);
        }
    }

    /** Whatever a file holds, it is read, or the message says what is wrong with it. */
    @Test
    void aDamagedTraceIsReadOrRefused() throws IOException {
        Path file = newTrace();
        write(file, 0, LockTrace.METADATA, LockTrace.FULL, descriptions());
        byte[] monitor =
                joined(
                        enter(100, 7, 9, 1, 4),
                        enter(50, 8, 9, 2, 5),
                        new byte[] {LockTrace.OWNER, 10, 6, 9, 3, 4},
                        new byte[] {LockTrace.EXIT, 50, 6, 9, 4, 4, 100},
                        new byte[] {LockTrace.ENTERED, 5, 7, 9, 5},
                        new byte[] {LockTrace.WAIT, 5, 7, 9, 6, 4},
                        new byte[] {LockTrace.WAITED, 5, 7, 9, 7, 1},
                        new byte[] {LockTrace.REENTERED, 5, 7, 9, 8});
        write(file, 1, LockTrace.EVENTS, LockTrace.FULL, monitor);
        byte[] parks =
                joined(
                        new byte[] {LockTrace.PARK, 100, 7, 9, 1, 0},
                        new byte[] {LockTrace.SIGNAL, 20, 8, 9, 2, 7, 4},
                        new byte[] {LockTrace.UNPARK, 20, 8, 3, 7, 4},
                        new byte[] {LockTrace.PARKED, 20, 7, 4, 3, 5});
        write(file, 2, LockTrace.EVENTS, LockTrace.WRITING, parks);
        byte[] whole = Files.readAllBytes(file);
        int[] starts = new int[BLOCKS];
        int[] lengths = {LockTrace.BLOCK_HEADER_SIZE, 160, 90, 70};
        for (int i = 1; i < BLOCKS; i++) {
            starts[i] = LockTrace.HEADER_SIZE + (i - 1) * LockTrace.BLOCK_SIZE;
        }
        lengths[0] = LockTrace.END_MONOTONIC + Long.BYTES;
        int read = 0;
        int refused = 0;
        for (int seed = 0; seed < DAMAGES; seed++) {
            Random random = new Random(seed);
            byte[] damaged = whole.clone();
            for (int i = 0; i <= random.nextInt(3); i++) {
                int part = random.nextInt(BLOCKS);
                damaged[starts[part] + random.nextInt(lengths[part])] = (byte) random.nextInt(256);
            }
            Files.write(file, damaged);
            try (LockAnalysis analysis = LockAnalysis.kept(file)) {
                analysis.end();
                Contentions.by(analysis.take(), ContentionAspect.USUAL);
                read++;
            } catch (FormatException e) {
                assertThat(e).as("seed %d", seed).hasMessageContaining("trace");
                refused++;
            } catch (RuntimeException e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
        assertThat(read).isPositive();
        assertThat(refused).isPositive();
    }

    /** All descriptions come before all events then. */
    @Test
    void aKeptTraceMayDescribeAnyNumberOfLocks() throws IOException {
        int blocks = 40;
        int inBlock = 2_500;
        Path file = newTrace(blocks, 0);
        byte[] lockClass = "shop.Stock".getBytes(UTF_8);
        write(file, 0, LockTrace.EVENTS, LockTrace.FULL, enter(5, 7, 1, 1, 0));
        write(
                file,
                1,
                LockTrace.METADATA,
                LockTrace.FULL,
                joined(
                        new byte[] {LockTrace.CLASS, 1, (byte) lockClass.length},
                        lockClass,
                        new byte[] {LockTrace.LOCK, 1, 1, 0x7b}));
        for (int block = 2; block < blocks; block++) {
            byte[][] locks = new byte[inBlock][];
            for (int i = 0; i < inBlock; i++) {
                int id = 2 + (block - 2) * inBlock + i;
                locks[i] =
                        new byte[] {
                            LockTrace.LOCK,
                            (byte) (id | 0x80),
                            (byte) (id >> 7 | 0x80),
                            (byte) (id >> 14),
                            1,
                            1
                        };
            }
            write(file, block, LockTrace.METADATA, LockTrace.FULL, joined(locks));
        }

        try (LockAnalysis analysis = LockAnalysis.kept(file)) {
            analysis.end();
            Profile locks = Contentions.by(analysis.take(), List.of(ContentionAspect.LOCK));
            assertThat(locks.consumerOf(1).name()).isEqualTo("Stock@7b");
        }
    }

    /** The tracer counts it, and it leaves a gap in the order of the lock's events. */
    @Test
    void anEventThatWasDroppedIsLostOnce() throws IOException {
        Path file = newTrace(BLOCKS, 1);
        byte[] events = joined(enter(5, 7, 1, 1, 0), enter(5, 7, 1, 3, 0));
        write(file, 0, LockTrace.EVENTS, LockTrace.FULL, events);

        try (LockAnalysis analysis = LockAnalysis.kept(file)) {
            analysis.end();
            assertThat(analysis.take().provenance().count(LockAnalysis.LOST_EVENTS)).isEqualTo(1);
            assertThat(analysis.take().provenance().count(LockAnalysis.LOST_EVENTS)).isZero();
        }
    }

    @Test
    void classesThatCouldNotBeChangedOrChangedBackAreFacts() throws IOException {
        Path file = newTrace();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(new byte[] {3}), LockTrace.CLASSES_SKIPPED);
            channel.write(ByteBuffer.wrap(new byte[] {2}), LockTrace.CLASSES_NOT_RESTORED);
        }

        try (LockAnalysis analysis = LockAnalysis.kept(file)) {
            analysis.end();
            Provenance told = analysis.take().provenance();
            assertThat(told.fact("classes not traced")).isEqualTo("3");
            assertThat(told.fact("classes not restored")).isEqualTo("2");
        }
    }

    @Test
    void aDamagedBlockSaysHow() throws IOException {
        Path file = newTrace();
        write(file, 0, LockTrace.EVENTS, LockTrace.FULL, (byte) 99, (byte) 1, (byte) 1);

        try (TraceReader reader = TraceReader.live(file, names)) {
            assertThatThrownBy(() -> read(reader))
                    .isInstanceOf(FormatException.class)
                    .hasMessageContaining("unknown type 99");
        }
    }
}
