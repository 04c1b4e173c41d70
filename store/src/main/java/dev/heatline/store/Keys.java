package dev.heatline.store;

import dev.heatline.formats.HeatText;
import dev.heatline.model.Execution;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;

/**
 * The keys of everything stored; see docs/store.md. Names are only ever part of a key as a digest,
 * so that any text is as good as another.
 */
final class Keys {
    static final byte[] VERSION = {'V'};
    static final byte[] NUMBERS = {'N'};

    /** Kinds of keys, their first byte. */
    static final byte APPLICATION = 'A';

    static final byte EXECUTION = 'E';
    static final byte HEAD = 'H';
    static final byte BODY = 'B';
    static final byte SECONDS = 'S';
    static final byte BY_UPLOAD = 'L';
    static final byte DICTIONARY = 'D';
    static final byte TASK = 'T';
    static final byte UPLOAD = 'U';

    private static final int DIGEST = 16;
    private static final int LEVEL_AT = 1 + Long.BYTES + Long.BYTES;
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    /** Some 292 years from 1970, less the days that times are rounded to. */
    private static final long FARTHEST_SECOND =
            Long.MAX_VALUE / NANOS_PER_SECOND - Duration.ofDays(2).toSeconds();

    private Keys() {}

    static byte[] upload(String id) {
        return buffer(UPLOAD, DIGEST).put(digest(HeatText.encode(id))).array();
    }

    static byte[] application(String name) {
        return buffer(APPLICATION, DIGEST).put(digest(HeatText.encode(name))).array();
    }

    static byte[] execution(long application, Execution execution) {
        byte[] text = ExecutionRecord.write(new Output(), execution).toBytes();
        return buffer(EXECUTION, Long.BYTES + DIGEST)
                .putLong(application)
                .put(digest(text))
                .array();
    }

    static byte[] tasks(String application) {
        return buffer(TASK, DIGEST).put(digest(HeatText.encode(application))).array();
    }

    static byte[] task(String application, String name) {
        return buffer(TASK, 2 * DIGEST)
                .put(digest(HeatText.encode(application)))
                .put(digest(HeatText.encode(name)))
                .array();
    }

    /** Where everything of this kind that belongs to a number begins. */
    static byte[] of(byte kind, long number) {
        return buffer(kind, Long.BYTES).putLong(number).array();
    }

    /** Where the parts of a dictionary begin. */
    static byte[] dictionary(long application, long dictionary) {
        return buffer(DICTIONARY, 2 * Long.BYTES).putLong(application).putLong(dictionary).array();
    }

    static byte[] dictionary(long application, long dictionary, byte part, int first) {
        return buffer(DICTIONARY, 2 * Long.BYTES + 1 + Integer.BYTES)
                .putLong(application)
                .putLong(dictionary)
                .put(part)
                .putInt(first)
                .array();
    }

    /** Where the profiles of an execution at a level that begin at a time or later begin. */
    static byte[] head(long application, long execution, Level level, long fromNanos) {
        return buffer(HEAD, 3 * Long.BYTES + 1)
                .putLong(application)
                .putLong(execution)
                .put(level.code())
                .putLong(ordered(fromNanos))
                .array();
    }

    static byte[] head(long application, long execution, Level level, long fromNanos, long number) {
        return buffer(HEAD, 4 * Long.BYTES + 1)
                .put(head(application, execution, level, fromNanos), 1, 3 * Long.BYTES + 1)
                .putLong(number)
                .array();
    }

    static byte[] bodyOf(byte[] headKey) {
        return beside(headKey, BODY);
    }

    /** There is nothing at it if the profile does not tell when anything was observed. */
    static byte[] secondsOf(byte[] headKey) {
        return beside(headKey, SECONDS);
    }

    private static byte[] beside(byte[] headKey, byte kind) {
        byte[] key = headKey.clone();
        key[0] = kind;
        return key;
    }

    /** Leads to the key of the profile whose last upload has this number. */
    static byte[] byUpload(long application, long upload) {
        return buffer(BY_UPLOAD, 2 * Long.BYTES).putLong(application).putLong(upload).array();
    }

    /** The second number of a key: of the execution of a head, or of a dictionary. */
    static long secondNumber(byte[] key) {
        return ByteBuffer.wrap(key).getLong(1 + Long.BYTES);
    }

    static long fromNanos(byte[] headKey) {
        return ordered(ByteBuffer.wrap(headKey).getLong(LEVEL_AT + 1));
    }

    static Level level(byte[] headKey) {
        return Level.of(headKey[LEVEL_AT]);
    }

    /** The first key that does not begin with this one. */
    static byte[] after(byte[] prefix) {
        byte[] next = prefix.clone();
        int at = next.length - 1;
        while (next[at] == -1) {
            at--;
        }
        next[at]++;
        return Arrays.copyOf(next, at + 1);
    }

    /** Nanoseconds since 1970; what is out of their range is moved to its end. */
    static long nanos(Instant time) {
        return nanos(time.getEpochSecond()) + time.getNano();
    }

    /** As above, of the beginning of a second since 1970. */
    static long nanos(long second) {
        return Math.clamp(second, -FARTHEST_SECOND, FARTHEST_SECOND) * NANOS_PER_SECOND;
    }

    /** As {@link #nanos}, for the end of a range that nothing may be beyond. */
    static long nanosUntil(Instant time) {
        return time.getEpochSecond() >= FARTHEST_SECOND ? Long.MAX_VALUE : nanos(time);
    }

    static Instant time(long nanos) {
        return Instant.ofEpochSecond(
                Math.floorDiv(nanos, NANOS_PER_SECOND), Math.floorMod(nanos, NANOS_PER_SECOND));
    }

    /** Keys compare as unsigned bytes, so the sign is turned round. */
    private static long ordered(long nanos) {
        return nanos ^ Long.MIN_VALUE;
    }

    private static ByteBuffer buffer(byte kind, int length) {
        return ByteBuffer.allocate(1 + length).put(kind);
    }

    private static byte[] digest(byte[] text) {
        try {
            return Arrays.copyOf(MessageDigest.getInstance("SHA-256").digest(text), DIGEST);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has SHA-256", e);
        }
    }
}
