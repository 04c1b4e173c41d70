package dev.heatline.agent.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which calls of roots count when they are timed alone. */
class RootTimesTest {
    private static final int FIND = 7;
    private static final int ADD = 9;

    private final RootTimes times =
            new RootTimes(
                    new int[] {FIND, ADD}, Set.of(RootTimesTest.class.getName() + "root(I)Z"));

    @AfterEach
    void clear() {
        CallHooks.clear();
    }

    @Test
    void aCallInsideOfARootIsAPartOfIt() {
        assertThat(times.any()).isFalse();
        assertThat(isTimed(times)).isTrue();
        assertThat(times.any()).isTrue();
        assertThat(isTimed(times)).isFalse();
        times.leave(ADD, 1, 300);
        assertThat(isTimed(times)).isTrue();
        times.leave(ADD, 1, 400);

        assertThat(times.calls(0)).isZero();
        assertThat(times.calls(1)).isEqualTo(2);
        assertThat(times.runningNanos(1)).isEqualTo(700);
        assertThat(times.runningSquares(1)).isEqualTo(250_000);
        assertThat(times.idleNanos(1)).isZero();
    }

    /** Such a call began before its code was changed. */
    @Test
    void aCallInsideOfOneThatWasNotSeenToBeginIsNotTimed() {
        assertThat(root(1)).isFalse();
        assertThat(times.any()).isFalse();
    }

    @Test
    void aCallBelowNoOtherIsTimed() {
        assertThat(root(0)).isTrue();
    }

    @Test
    void timeInWhichTheThreadDoesNotRunIsIdle() {
        AtomicLong cpu = new AtomicLong(5);
        CallHooks.cpuClocks(cpu::get, any -> 0);
        long begun = times.enter();
        cpu.addAndGet(30_000);
        times.leave(ADD, begun, 50_000);
        assertThat(times.runningNanos(1)).isEqualTo(30_000);
        assertThat(times.idleNanos(1)).isEqualTo(20_000);
    }

    /** What the thread did between the reading and the call was not in the call. */
    @Test
    void aLongCallMayBeginAWhileAfterTheReading() {
        AtomicLong cpu = new AtomicLong(5);
        AtomicLong readings = new AtomicLong();
        CallHooks.cpuClocks(
                () -> {
                    readings.incrementAndGet();
                    return cpu.get();
                },
                any -> 0);
        long brief = 0;
        long begun = 0;
        long gap = 0;
        while (gap == 0) {
            long until = System.nanoTime() + IdleTimes.BRIEF_NANOS;
            while (System.nanoTime() - until < 0) {
                Thread.onSpinWait();
            }
            long read = times.enter();
            times.leave(ADD, read, 300);
            brief += 300;
            long before = readings.get();
            begun = times.enter();
            if (readings.get() == before) {
                gap = begun - read;
            } else {
                // It took too long to get here.
                times.leave(ADD, begun, 300);
                brief += 300;
            }
        }
        cpu.addAndGet(gap + 30_000);
        times.leave(ADD, begun, 50_000);
        assertThat(times.runningNanos(1)).isEqualTo(brief + 30_000);
    }

    /** What runs right after the kernel was asked runs slower. */
    @Test
    void briefCallsShareAReadingOfTheCpuClock() {
        AtomicLong readings = new AtomicLong();
        CallHooks.cpuClocks(readings::incrementAndGet, any -> 0);
        int calls = 100_000;
        long start = System.nanoTime();
        for (int i = 0; i < calls; i++) {
            times.leave(ADD, times.enter(), 300);
        }
        long took = System.nanoTime() - start;
        assertThat(times.calls(1)).isEqualTo(calls);
        assertThat(readings.get()).isBetween(1L, took / IdleTimes.BRIEF_NANOS + 1);
    }

    /** Threads of the application live for long, and are measured again and again. */
    @Test
    void threadsKeepNothingOfIt() {
        List<WeakReference<RootTimes>> ended = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            ended.add(used());
        }
        assertThat(ended)
                .allSatisfy(
                        each -> {
                            for (int i = 0; i < 100 && each.get() != null; i++) {
                                System.gc();
                            }
                            assertThat(each.get()).isNull();
                        });
    }

    private static WeakReference<RootTimes> used() {
        RootTimes times = new RootTimes(new int[] {ADD}, Set.of());
        assertThat(isTimed(times)).isTrue();
        times.leave(ADD, 1, 300);
        assertThat(times.calls(0)).isOne();
        return new WeakReference<>(times);
    }

    /** Wherever the stack ends in it, the thread is not taken to be in a root for ever. */
    @Test
    void aThreadWithoutStackIsTimedAgainLater() throws InterruptedException {
        AtomicBoolean isTimed = new AtomicBoolean();
        Thread thread =
                new Thread(
                        null,
                        () -> {
                            // What it needs is loaded, and the stack known.
                            isTimed.set(isTimed(times));
                            times.leave(ADD, 1, 300);
                            isTimed.compareAndSet(true, isTimedOnTheWayBack(Integer.MAX_VALUE));
                        },
                        "deep",
                        300_000);
        thread.start();
        thread.join();
        assertThat(isTimed).isTrue();
    }

    /** Its callers have a little more stack, one after the other. */
    private boolean isTimedOnTheWayBack(int frames) {
        try {
            if (frames > 0 && isTimedOnTheWayBack(frames - 1)) {
                return true;
            }
        } catch (StackOverflowError e) {
            return false;
        }
        return isTimed(times);
    }

    private static boolean isTimed(RootTimes times) {
        return times.enter() != RootTimes.NOT_TIMED;
    }

    private boolean root(int callers) {
        return callers == 0 ? isTimed(times) : root(callers - 1);
    }
}
