package dev.heatline.agent.locks;

import dev.heatline.wire.LockTrace;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;

/** Reads a trace as a collector would: follows what is published, and frees full blocks. */
final class TraceFile {
    private static final VarHandle INT =
            MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG =
            MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    /**
     * An event; for parks, lock is the blocker and sequence the order.
     *
     * @param extra what stands behind chain, or in its place
     */
    record Event(
            int type, long nanos, long thread, long lock, long sequence, long chain, long extra) {}

    record Lock(String type, int hash) {}

    private final MappedByteBuffer map;
    private final int blocks;
    private final long[] serials;
    private final int[] read;
    private final long[] times;

    final List<Event> events = new ArrayList<>();
    final Map<Long, String> threads = new HashMap<>();
    final Set<Long> virtualThreads = new HashSet<>();
    final Map<Long, String> classes = new HashMap<>();
    final Map<Long, String> methods = new HashMap<>();
    final Map<Long, List<String>> chains = new HashMap<>();
    final Set<Long> cutOffChains = new HashSet<>();
    final Map<Long, Lock> locks = new HashMap<>();
    long bytes;

    TraceFile(Path file) throws IOException {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            map = channel.map(FileChannel.MapMode.READ_WRITE, 0, channel.size());
        }
        map.order(ByteOrder.LITTLE_ENDIAN);
        if (map.getLong(0) != LockTrace.MAGIC) {
            throw new IOException("not a trace");
        }
        blocks = map.getInt(LockTrace.BLOCK_COUNT);
        serials = new long[blocks];
        read = new int[blocks];
        times = new long[blocks];
    }

    long header(int offset) {
        return (long) LONG.getVolatile((ByteBuffer) map, offset);
    }

    int state() {
        return (int) INT.getVolatile((ByteBuffer) map, LockTrace.STATE);
    }

    void beat() {
        LONG.setVolatile((ByteBuffer) map, LockTrace.HEARTBEAT, System.nanoTime());
    }

    List<String> chain(Event event) {
        return Objects.requireNonNull(chains.get(event.chain()));
    }

    String lockType(Event event) {
        return Objects.requireNonNull(locks.get(event.lock())).type();
    }

    /** Reads what is there and not read yet, first of all what it refers to. */
    void poll() {
        int[] used = new int[blocks];
        for (int i = 0; i < blocks; i++) {
            used[i] = state(i) == LockTrace.FREE || isMetadata(i) ? 0 : used(i);
        }
        for (int i = 0; i < blocks; i++) {
            if (state(i) != LockTrace.FREE && isMetadata(i)) {
                boolean full = state(i) == LockTrace.FULL;
                read(i, used(i));
                free(i, full);
            }
        }
        for (int i = 0; i < blocks; i++) {
            if (used[i] > 0) {
                boolean full = state(i) == LockTrace.FULL;
                read(i, full ? used(i) : used[i]);
                // What was added since may need metadata that was not read yet.
                free(i, full && used(i) == used[i]);
            }
        }
    }

    boolean hasFreeBlock() {
        return IntStream.range(0, blocks).anyMatch(block -> state(block) == LockTrace.FREE);
    }

    /** The serial numbers of blocks that wait for a reader, oldest first. */
    List<Long> fullSerials() {
        return IntStream.range(0, blocks)
                .filter(block -> state(block) == LockTrace.FULL)
                .mapToObj(block -> map.getLong(at(block) + LockTrace.BLOCK_SERIAL))
                .sorted()
                .toList();
    }

    /** Frees a block without reading it. */
    void free(long serial) {
        for (int i = 0; i < blocks; i++) {
            free(i, map.getLong(at(i) + LockTrace.BLOCK_SERIAL) == serial);
        }
    }

    private int at(int block) {
        return LockTrace.HEADER_SIZE + block * LockTrace.BLOCK_SIZE;
    }

    private int state(int block) {
        return (int) INT.getVolatile((ByteBuffer) map, at(block) + LockTrace.BLOCK_STATE);
    }

    private int used(int block) {
        return (int) INT.getVolatile((ByteBuffer) map, at(block) + LockTrace.BLOCK_USED);
    }

    private boolean isMetadata(int block) {
        return map.getInt(at(block) + LockTrace.BLOCK_KIND) == LockTrace.METADATA;
    }

    private void free(int block, boolean full) {
        if (full) {
            INT.setVolatile((ByteBuffer) map, at(block) + LockTrace.BLOCK_STATE, LockTrace.FREE);
        }
    }

    private void read(int block, int until) {
        long serial = map.getLong(at(block) + LockTrace.BLOCK_SERIAL);
        if (serials[block] != serial) {
            serials[block] = serial;
            read[block] = 0;
            times[block] = map.getLong(LockTrace.START_MONOTONIC);
        }
        int start = at(block) + LockTrace.BLOCK_HEADER_SIZE;
        ByteBuffer in = map.duplicate();
        in.limit(start + until).position(start + read[block]);
        bytes += in.remaining();
        while (in.hasRemaining()) {
            int type = in.get();
            if (type < LockTrace.THREAD) {
                event(block, type, in);
            } else {
                metadata(type, in);
            }
        }
        read[block] = until;
    }

    private void event(int block, int type, ByteBuffer in) {
        times[block] += varint(in);
        long thread = varint(in);
        long[] rest = new long[4];
        int count =
                switch (type) {
                    case LockTrace.ENTERED, LockTrace.REENTERED -> 2;
                    case LockTrace.EXIT, LockTrace.SIGNAL -> 4;
                    case LockTrace.ENTER,
                            LockTrace.WAIT,
                            LockTrace.WAITED,
                            LockTrace.OWNER,
                            LockTrace.PARK,
                            LockTrace.PARKED,
                            LockTrace.UNPARK ->
                            3;
                    default -> throw new AssertionError("event " + type);
                };
        for (int i = 0; i < count; i++) {
            rest[i] = varint(in);
        }
        events.add(
                switch (type) {
                    case LockTrace.PARKED, LockTrace.UNPARK ->
                            new Event(type, times[block], thread, 0, rest[0], rest[2], rest[1]);
                    case LockTrace.PARK, LockTrace.WAITED ->
                            new Event(type, times[block], thread, rest[0], rest[1], 0, rest[2]);
                    case LockTrace.SIGNAL ->
                            new Event(
                                    type, times[block], thread, rest[0], rest[1], rest[3], rest[2]);
                    default -> new Event(type, times[block], thread, rest[0], rest[1], rest[2], 0);
                });
    }

    private void metadata(int type, ByteBuffer in) {
        long id = varint(in);
        switch (type) {
            case LockTrace.THREAD -> {
                threads.put(id, text(in));
                if (varint(in) == 1) {
                    virtualThreads.add(id);
                }
            }
            case LockTrace.CLASS -> classes.put(id, text(in));
            case LockTrace.METHOD -> {
                String owner = classes.get(varint(in));
                methods.put(id, owner + "." + text(in));
                text(in);
            }
            case LockTrace.CHAIN -> {
                List<String> frames = new ArrayList<>();
                long count = varint(in);
                for (int i = 0; i < count; i++) {
                    // The same few stand in many chains.
                    frames.add((methods.get(varint(in)) + ":" + (varint(in) - 1)).intern());
                }
                if (varint(in) == 1) {
                    cutOffChains.add(id);
                }
                chains.put(id, frames);
            }
            case LockTrace.LOCK ->
                    locks.put(
                            id,
                            new Lock(String.valueOf(classes.get(varint(in))), (int) varint(in)));
            default -> throw new AssertionError("metadata " + type);
        }
    }

    private static String text(ByteBuffer in) {
        byte[] text = new byte[(int) varint(in)];
        in.get(text);
        return new String(text, StandardCharsets.UTF_8);
    }

    private static long varint(ByteBuffer in) {
        long value = 0;
        for (int shift = 0; ; shift += 7) {
            byte next = in.get();
            value |= (long) (next & 0x7F) << shift;
            if (next >= 0) {
                return value;
            }
        }
    }
}
