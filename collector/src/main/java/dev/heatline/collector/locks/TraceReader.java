package dev.heatline.collector.locks;

import dev.heatline.formats.FormatException;
import dev.heatline.wire.LockTrace;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * Takes the events out of a lock trace: of one that a JVM is writing, again and again, or of one
 * that was kept. Each event is read once; what a full block held is gone when it was read.
 */
final class TraceReader implements AutoCloseable {
    private static final VarHandle INT =
            ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN).varHandle();
    private static final VarHandle LONG =
            ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN).varHandle();

    /** A tracer whose reader does not look ends sooner than that. */
    private static final long SLACK_NANOS = 60_000_000_000L;

    /** Longer than any JVM runs: ten years. */
    private static final long MOST_NANOS = 10 * 365 * 86_400 * 1_000_000_000L;

    /** A million a second would take a year. */
    private static final long MOST_EVENTS = 1L << 45;

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment file;
    private final TraceNames names;
    private final List<Block> blocks = new ArrayList<>();
    private final Path path;
    private final boolean cutOff;
    private final boolean lacksBlocks;
    private long bytesRead;

    /** How long the trace can be by now. What is told may be newer than the last look. */
    private long mostNanos;

    /** A place in the file, and how much of what lies there now was read. */
    private static final class Block {
        private final long offset;
        private int read;
        private int published;
        private boolean full;
        private long nanos;

        /** Its number where it is kept; empty if nothing of it was. */
        private OptionalInt kept = OptionalInt.empty();

        Block(long offset) {
            this.offset = offset;
        }
    }

    /** Where what was read is kept, if anywhere. */
    private Optional<KeptTrace> kept = Optional.empty();

    /**
     * A reader of the trace that a JVM is writing.
     *
     * @throws FormatException if this is no lock trace
     */
    static TraceReader live(Path path, TraceNames names) {
        return new TraceReader(
                path, names, MapMode.READ_WRITE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    /** A reader of a trace that was kept, which stays as it is; likewise. */
    static TraceReader kept(Path path, TraceNames names) {
        return new TraceReader(path, names, MapMode.READ_ONLY, StandardOpenOption.READ);
    }

    private TraceReader(Path path, TraceNames names, MapMode mode, OpenOption... options) {
        this.path = path;
        this.names = names;
        try (FileChannel channel = FileChannel.open(path, options)) {
            long size = channel.size();
            if (size < LockTrace.HEADER_SIZE) {
                throw new FormatException(path + " is no lock trace: it is too short");
            }
            file = channel.map(mode, 0, size, arena);
            if (longAt(0) != LockTrace.MAGIC) {
                throw new FormatException(path + " is no lock trace");
            }
            requireTimes(path);
            long whole = (size - LockTrace.HEADER_SIZE) / LockTrace.BLOCK_SIZE;
            int count = intAt(LockTrace.BLOCK_COUNT);
            cutOff = whole < count;
            lacksBlocks = cutOff && count != KeptTrace.UNKNOWN_BLOCKS;
            for (long i = 0; i < whole; i++) {
                blocks.add(new Block(LockTrace.HEADER_SIZE + i * LockTrace.BLOCK_SIZE));
            }
        } catch (IOException e) {
            throw new FormatException("cannot read " + path + ": " + e.getMessage());
        }
    }

    /** Of these all others are reckoned. */
    private void requireTimes(Path path) {
        long epoch = longAt(LockTrace.START_EPOCH);
        if (epoch < 0 || epoch > Long.MAX_VALUE - 2 * MOST_NANOS || now() > MOST_NANOS) {
            throw new FormatException(
                    path + " is damaged: its header tells impossible times of beginning and end");
        }
    }

    /** Whether a file begins as a trace does. */
    static boolean isTrace(Path path) {
        if (!Files.isRegularFile(path)) {
            return false;
        }
        try (InputStream in = Files.newInputStream(path)) {
            byte[] first = in.readNBytes(Long.BYTES);
            return first.length == Long.BYTES
                    && ByteBuffer.wrap(first).order(ByteOrder.LITTLE_ENDIAN).getLong()
                            == LockTrace.MAGIC;
        } catch (IOException e) {
            return false;
        }
    }

    boolean isKept() {
        return file.isReadOnly();
    }

    /** Keeps everything that is read from now on. */
    void keepIn(Path copy) {
        kept = Optional.of(new KeptTrace(copy, file));
    }

    /** Whether the file has fewer blocks than it says. */
    boolean isCutOff() {
        return cutOff;
    }

    /**
     * Whether it had more of them once. One that was never finished has all that happened up to
     * some moment; one that was cut off lacks some of what happened before its last event.
     */
    boolean lacksBlocks() {
        return lacksBlocks;
    }

    /** How many bytes events and descriptions took so far. */
    long bytesRead() {
        return bytesRead;
    }

    Instant start() {
        long nanos = longAt(LockTrace.START_EPOCH);
        return Instant.ofEpochSecond(nanos / 1_000_000_000, nanos % 1_000_000_000);
    }

    /** A counter of the header. */
    long counter(int offset) {
        return Math.max(0, longAt(offset));
    }

    boolean isOn() {
        return intAt(LockTrace.STATE) == LockTrace.STATE_ON;
    }

    /** Tells the tracer that somebody reads. */
    void beat(long monotonicNanos) {
        if (file.isReadOnly()) {
            return;
        }
        LONG.setRelease(file, (long) LockTrace.HEARTBEAT, monotonicNanos);
    }

    /**
     * Everything that was published since the last time, block by block: in order within a thread
     * of the operating system, in no order between them.
     */
    void read(Consumer<LockEvent> events) {
        mostNanos = now() + SLACK_NANOS;
        List<Block> spoken = unread(LockTrace.EVENTS);
        // A description is published before what needs it: those of the events above are there now.
        unread(LockTrace.METADATA).forEach(block -> take(block, this::describe));
        spoken.forEach(block -> take(block, in -> events.accept(event(block, in))));
        kept.ifPresent(KeptTrace::looked);
    }

    /** The blocks of a kind in which something is new, as far as it is published now. */
    private List<Block> unread(int kind) {
        List<Block> found = new ArrayList<>();
        for (Block block : blocks) {
            int state = (int) INT.getAcquire(file, block.offset + LockTrace.BLOCK_STATE);
            if (state != LockTrace.FREE && intAt(block.offset + LockTrace.BLOCK_KIND) == kind) {
                block.full = state == LockTrace.FULL;
                block.published = (int) INT.getAcquire(file, block.offset + LockTrace.BLOCK_USED);
                if (block.published > block.read || (block.full && !file.isReadOnly())) {
                    found.add(block);
                }
            }
        }
        found.sort(
                Comparator.comparingLong(block -> longAt(block.offset + LockTrace.BLOCK_SERIAL)));
        return found;
    }

    private void take(Block block, Consumer<Varints> each) {
        int most = LockTrace.BLOCK_SIZE - LockTrace.BLOCK_HEADER_SIZE;
        if (block.published < block.read || block.published > most) {
            throw new FormatException(
                    path
                            + " is damaged: its block at byte "
                            + block.offset
                            + " says it holds "
                            + block.published
                            + " bytes");
        }
        long offset = block.offset + LockTrace.BLOCK_HEADER_SIZE + block.read;
        byte[] bytes = new byte[block.published - block.read];
        MemorySegment.copy(file, ValueLayout.JAVA_BYTE, offset, bytes, 0, bytes.length);
        if (bytes.length > 0) {
            kept.ifPresent(copy -> keep(block, copy));
        }
        Varints in = new Varints(bytes, path, offset);
        while (in.hasMore()) {
            each.accept(in);
        }
        bytesRead += bytes.length;
        block.read = block.published;
        if (block.full && !file.isReadOnly()) {
            free(block);
        }
    }

    private void free(Block block) {
        block.read = 0;
        block.nanos = 0;
        block.kept = OptionalInt.empty();
        INT.setRelease(file, block.offset + LockTrace.BLOCK_USED, 0);
        INT.setRelease(file, block.offset + LockTrace.BLOCK_STATE, LockTrace.FREE);
    }

    private void describe(Varints in) {
        int type = in.type();
        switch (type) {
            case LockTrace.THREAD -> names.thread(in.next(), in.text(), in.next() != 0);
            case LockTrace.CLASS -> names.className(in.next(), in.text());
            case LockTrace.METHOD -> names.method(in.next(), in.next(), in.text(), in.text());
            case LockTrace.CHAIN -> describeChain(in);
            case LockTrace.LOCK -> names.lock(in.next(), in.next(), (int) in.next());
            default -> throw in.damaged("describes something of the unknown type " + type);
        }
    }

    private void describeChain(Varints in) {
        long id = in.next();
        int frames = in.count();
        List<Long> methods = new ArrayList<>(frames);
        List<Integer> lines = new ArrayList<>(frames);
        for (int i = 0; i < frames; i++) {
            methods.add(in.next());
            lines.add(line(in));
        }
        boolean cutOff = in.next() != 0;
        names.chain(id, methods, lines, cutOff);
    }

    private static int line(Varints in) {
        long next = in.next();
        if (next < 0 || next > Integer.MAX_VALUE) {
            throw in.damaged("speaks of line " + (next - 1));
        }
        return (int) Math.max(0, next - 1);
    }

    private LockEvent event(Block block, Varints in) {
        int type = in.type();
        if (type < LockTrace.ENTER || type > LockTrace.SIGNAL) {
            throw in.damaged("has an event of the unknown type " + type);
        }
        long nanos = block.nanos + span(in);
        if (nanos > mostNanos) {
            throw in.damaged("has an event after the end of the trace");
        }
        block.nanos = nanos;
        long thread = in.next();
        boolean ofLock = type != LockTrace.PARKED && type != LockTrace.UNPARK;
        long lock = ofLock ? in.next() : 0;
        if (lock == 0 && type < LockTrace.PARK) {
            throw in.damaged("has an event of a monitor without the monitor");
        }
        long order = order(in);
        return switch (type) {
            case LockTrace.ENTER, LockTrace.WAIT, LockTrace.OWNER ->
                    new LockEvent(type, nanos, thread, lock, order, 0, in.next());
            case LockTrace.EXIT -> {
                long chain = in.next();
                yield new LockEvent(type, nanos, thread, lock, order, span(in), chain);
            }
            case LockTrace.ENTERED, LockTrace.REENTERED ->
                    new LockEvent(type, nanos, thread, lock, order, 0, 0);
            case LockTrace.WAITED, LockTrace.PARK ->
                    new LockEvent(type, nanos, thread, lock, order, in.next(), 0);
            default -> new LockEvent(type, nanos, thread, lock, order, in.next(), in.next());
        };
    }

    /** Between two moments of the trace. */
    private long span(Varints in) {
        long nanos = in.next();
        if (nanos < 0 || nanos > mostNanos) {
            throw in.damaged("speaks of a time longer than the trace");
        }
        return nanos;
    }

    /**
     * Nanoseconds since tracing began, or what it lasted; of a kept trace, until somebody last
     * looked at it.
     */
    long now() {
        long now = file.isReadOnly() ? longAt(LockTrace.HEARTBEAT) : System.nanoTime();
        long end = longAt(LockTrace.END_MONOTONIC);
        long last = end == 0 ? now : Math.min(end, now);
        return Math.max(0, last - longAt(LockTrace.START_MONOTONIC));
    }

    private static long order(Varints in) {
        long order = in.next();
        if (order < 1 || order > MOST_EVENTS) {
            throw in.damaged("has an event that is number " + order);
        }
        return order;
    }

    private int intAt(long offset) {
        return (int) INT.get(file, offset);
    }

    private long longAt(long offset) {
        return (long) LONG.getAcquire(file, offset);
    }

    private void keep(Block block, KeptTrace copy) {
        MemorySegment now = file.asSlice(block.offset, LockTrace.BLOCK_SIZE);
        if (block.kept.isPresent()) {
            copy.add(block.kept.getAsInt(), now, block.read, block.published);
        } else {
            block.kept = OptionalInt.of(copy.add(now, block.published));
        }
    }

    @Override
    public void close() {
        try (arena) {
            kept.ifPresent(KeptTrace::close);
        }
    }
}
