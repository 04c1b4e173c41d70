package dev.heatline.store;

import java.time.Duration;
import java.util.List;

/** How far profiles are rolled up. */
enum Level {
    /** As they were uploaded, whatever time they cover. */
    MINUTE(0, "minute", Duration.ZERO),
    HOUR(1, "hour", Duration.ofHours(1)),
    DAY(2, "day", Duration.ofDays(1));

    /** In the order of rolling up. */
    static final List<Level> ALL = List.of(values());

    private final byte code;
    private final String label;
    private final long nanos;

    Level(int code, String label, Duration length) {
        this.code = (byte) code;
        this.label = label;
        this.nanos = length.toNanos();
    }

    byte code() {
        return code;
    }

    String label() {
        return label;
    }

    static Level of(byte code) {
        if (code < 0 || code >= ALL.size()) {
            throw Input.damaged();
        }
        return ALL.get(code);
    }

    /** The beginning of the hour or day that a time lies in. */
    long start(long timeNanos) {
        return nanos == 0 ? timeNanos : timeNanos - Math.floorMod(timeNanos, nanos);
    }

    /** How long a roll-up of this level is. */
    long nanos() {
        return nanos;
    }
}
