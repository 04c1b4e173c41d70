package dev.heatline.wire;

/**
 * The file through which the lock tracer in a JVM tells a collector what it sees. Both map it into
 * memory; the tracer never waits for the collector.
 *
 * <p>All numbers are little-endian. The file is a header of {@link #HEADER_SIZE} bytes and blocks
 * of {@link #BLOCK_SIZE} bytes. Whoever has something to say takes one of a few dozen lanes, which
 * hardly ever is somebody else's at the moment, appends an event to the block of that lane and
 * publishes it by raising {@link #BLOCK_USED}. When the next event does not fit, the block is
 * marked full, and the lane gets a free one. The reader follows {@link #BLOCK_USED}, and frees a
 * full block when it has read it. Blocks are taken in turn; where many after the last one are still
 * not free, events are dropped and counted ({@link #DROPPED}) until the first of them that is full
 * was freed.
 *
 * <p>What events refer to is described in blocks of the kind {@link #METADATA}, of which one at a
 * time is written, under a lock. A tracer that has described very many things forgets them and
 * describes anew what comes again; classes, methods and call chains by new identifiers, so that
 * none ever stands for two things. A description is published before the first event that needs it.
 * Who reads the {@link #BLOCK_USED} of all event blocks first, then all metadata, then the events
 * up to what it saw, knows everything the events refer to.
 *
 * <p>An event is a byte for its type and varints (seven bits a byte, lowest first, the highest bit
 * says that another byte follows). Its first varint is the time in nanoseconds since the event
 * before it in the same block, for the first event of a block since {@link #START_MONOTONIC}. Where
 * that would be negative it is 0. The second is the identifier of the Java thread.
 *
 * <p>The C side of this is {@code agent/src/main/native/trace.h}.
 */
public final class LockTrace {
    /** The first eight bytes, {@code HLLOCKS1} read as one number. */
    public static final long MAGIC = 0x31534b434f4c4c48L;

    /** The tracer's own thread, whose waits are nobody's business. */
    public static final String TRACER_THREAD = "Heatline locks";

    public static final int HEADER_SIZE = 4096;
    public static final int BLOCK_SIZE = 16 * 1024;

    /** Offsets in the header: how many blocks follow it, and which process writes. */
    public static final int BLOCK_COUNT = 8;

    public static final int PID = 12;

    /** When tracing began: by the monotonic clock, and in nanoseconds since 1970. */
    public static final int START_MONOTONIC = 16;

    public static final int START_EPOCH = 24;

    /** 1 while tracing is on, 2 when it is off again. */
    public static final int STATE = 32;

    public static final int STATE_ON = 1;
    public static final int STATE_OFF = 2;

    /** Events, and what they refer to, for which no block was free. */
    public static final int DROPPED = 40;

    /** Contended locks beyond what can be followed at once; their owners stay unknown. */
    public static final int UNFOLLOWED = 48;

    /**
     * Classes that check their exits, and classes of which some or all exits could not be changed.
     */
    public static final int CLASSES_CHANGED = 56;

    public static final int CLASSES_SKIPPED = 64;

    /**
     * Written by the reader: its own monotonic clock. A tracer that finds it unchanged for {@link
     * #READER_LOST_SECONDS} switches itself off.
     */
    public static final int HEARTBEAT = 72;

    public static final int READER_LOST_SECONDS = 10;

    /**
     * CPU time the tracer took in the application since it was switched on: of its own threads, and
     * of the application's in its hooks and callbacks, which is estimated.
     */
    public static final int TRACER_NANOS = 80;

    /**
     * Monitors the tracer has forgotten to remember newer ones. Nobody was using them; one that is
     * seen again gets a new identifier.
     */
    public static final int LOCKS_FORGOTTEN = 88;

    /** Classes that could not be given their own code back; their hooks do nothing any more. */
    public static final int CLASSES_NOT_RESTORED = 96;

    /** When the last event may have been, by the monotonic clock; 0 while more may come. */
    public static final int END_MONOTONIC = 104;

    /** Offsets in a block: its state, the published bytes behind the block's header, its kind. */
    public static final int BLOCK_STATE = 0;

    public static final int BLOCK_USED = 4;
    public static final int BLOCK_KIND = 8;
    public static final int BLOCK_HEADER_SIZE = 32;

    /** Which block was taken when: 1, 2, 3 over all blocks of a trace. */
    public static final int BLOCK_SERIAL = 16;

    public static final int FREE = 0;
    public static final int WRITING = 1;
    public static final int FULL = 2;

    public static final int EVENTS = 0;
    public static final int METADATA = 1;

    /*
     * Events. Behind time and thread: LOCK is a lock's identifier, SEQUENCE its place in the order of
     * that lock's events, without gaps, from 1; ORDER its place among all park events, without gaps,
     * from 1; CHAIN the identifier of a call chain, 0 where none was taken.
     */

    /** A thread could not enter a monitor and blocks. LOCK SEQUENCE CHAIN */
    public static final int ENTER = 1;

    /** It owns the monitor now. LOCK SEQUENCE */
    public static final int ENTERED = 2;

    /**
     * An owner is about to leave a monitor others are blocked on. LOCK SEQUENCE CHAIN HELD, the
     * last being the nanoseconds since it entered, 0 if that was before anybody was blocked. Exits
     * of the same owner that follow one another closely are told only by their last, with the sum
     * of their times.
     */
    public static final int EXIT = 3;

    /** An owner leaves a monitor by waiting on it. LOCK SEQUENCE CHAIN */
    public static final int WAIT = 4;

    /** Its wait is over, it wants the monitor back. LOCK SEQUENCE TIMED_OUT(0, 1) */
    public static final int WAITED = 5;

    /** It owns the monitor again. LOCK SEQUENCE */
    public static final int REENTERED = 6;

    /**
     * The owner of a monitor, as the JVM told it when asked or as itself told on entering: its exit
     * may not be seen. LOCK SEQUENCE CHAIN
     */
    public static final int OWNER = 7;

    /** A thread parks. LOCK (the blocker, 0 if none) ORDER TIMED(0, 1) */
    public static final int PARK = 8;

    /**
     * It runs again. ORDER, ORDER of the unpark that woke it (0 if none), CHAIN (0 where it was not
     * parked long enough to be worth one).
     */
    public static final int PARKED = 9;

    /** A thread wakes another that is parked. ORDER, identifier of the other thread, CHAIN */
    public static final int UNPARK = 10;

    /**
     * The owner of a lock signals a thread that is parked for a condition of it, and wants the lock
     * from now on. LOCK ORDER, identifier of the other thread, CHAIN
     */
    public static final int SIGNAL = 11;

    /*
     * Metadata. No time and no thread; TEXT is a length in bytes and as many bytes of UTF-8.
     */

    /** Identifier, TEXT name, 1 if virtual else 0. */
    public static final int THREAD = 32;

    /** Identifier, TEXT name with dots. */
    public static final int CLASS = 33;

    /** Identifier, identifier of the class, TEXT name, TEXT descriptor. */
    public static final int METHOD = 34;

    /**
     * Identifier, number of frames, and for each, innermost first, identifier of the method and
     * line + 1 (0 if unknown); then 1 if outer frames were cut off, else 0.
     */
    public static final int CHAIN = 35;

    /** Identifier of a lock, identifier of its class, identity hash code. */
    public static final int LOCK = 36;

    private LockTrace() {}
}
