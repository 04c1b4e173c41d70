package dev.heatline.collector.locks;

import dev.heatline.collector.locks.Contenders.Section;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** One thread's own account of what it did. */
final class Log {
    static final String LONG = "asLong";
    static final String MIDDLE = "asMiddle";
    static final String SHORT = "asShort";

    /** Rounded up, which is no fault of the machine's. */
    private static final boolean SLEEPS_WHOLE_MILLIS = Runtime.version().feature() < 21;

    final String role;
    private final long holdMicros;
    private final long pauseMicros;
    final List<long[]> waits = new ArrayList<>();
    final List<long[]> waitsAgain = new ArrayList<>();
    final List<Hold> holds = new ArrayList<>();
    final Map<String, List<Long>> woken = new TreeMap<>();
    long wanted;
    private long got;
    boolean shares;
    int count;

    /** How late it went on after a pause, all in all: the machine had other things to do. */
    long lateNanos;

    int sleeps;

    private Optional<Log> inner = Optional.empty();

    Log(String role, long holdMicros, long pauseMicros) {
        this.role = role;
        this.holdMicros = holdMicros;
        this.pauseMicros = pauseMicros;
    }

    /** The account of a second lock, which it takes inside of the first. */
    Log inner() {
        if (inner.isEmpty()) {
            inner = Optional.of(new Log(role, holdMicros, 0));
        }
        return inner.get();
    }

    void work(Section section, long until) {
        try {
            while (System.nanoTime() < until) {
                wanted = System.nanoTime();
                switch (role) {
                    case LONG -> asLong(section);
                    case MIDDLE -> asMiddle(section);
                    default -> asShort(section);
                }
                pause(pauseMicros);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    void asLong(Section section) throws InterruptedException {
        section.run(this);
    }

    void asMiddle(Section section) throws InterruptedException {
        section.run(this);
    }

    void asShort(Section section) throws InterruptedException {
        section.run(this);
    }

    void entered() {
        got = System.nanoTime();
        waits.add(new long[] {wanted, got});
    }

    /** After a wait, wanted since then. */
    void enteredAgain() {
        got = System.nanoTime();
        waitsAgain.add(new long[] {wanted, got});
    }

    /** Waited for what only this one could give. */
    void woken(Log by) {
        woken.computeIfAbsent(by.role, role -> new ArrayList<>()).add(System.nanoTime() - wanted);
    }

    void hold() throws InterruptedException {
        pause(holdMicros);
    }

    void left() {
        holds.add(new Hold(this, got, System.nanoTime()));
    }

    private void pause(long micros) throws InterruptedException {
        if (micros >= 1_000) {
            long asked = SLEEPS_WHOLE_MILLIS ? (micros + 999) / 1_000 * 1_000 : micros;
            long due = System.nanoTime() + asked * 1_000;
            Thread.sleep(micros / 1_000, (int) (micros % 1_000) * 1_000);
            sleeps++;
            lateNanos += System.nanoTime() - due;
        } else {
            long until = System.nanoTime() + micros * 1_000;
            while (System.nanoTime() < until) {
                Thread.onSpinWait();
            }
        }
    }

    /** When it had the lock. */
    static final class Hold {
        final Log log;
        final long from;
        final long until;

        Hold(Log log, long from, long until) {
            this.log = log;
            this.from = from;
            this.until = until;
        }
    }
}
