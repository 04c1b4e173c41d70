package dev.heatline.formats.jfr;

import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.Recording;

/**
 * Allocates much in a thread, begins a recording while that goes on slowly, and then allocates a
 * known amount. Compiled for Java 17 by the tests.
 */
final class AllocatingWorkload {
    static final String THREAD = "allocating";

    /** Is started while it is recorded, and allocates this at once. */
    static final String LATE_THREAD = "late";

    private static final int LATE = 32 << 20;
    static final long BEFORE = 2L << 30;
    static final long RECORDED = 300L << 20;

    private static final int OBJECT = 1024;
    private static final int HEADER = 16;
    private static final int STEP = 100 * OBJECT;
    private static final int TRICKLE = 4 * OBJECT;
    private static final long PAUSE_NANOS = 500_000;

    static volatile Object kept = "";

    private AllocatingWorkload() {}

    /** The file to write, and the setting of the throttle. */
    public static void main(String[] args) throws Exception {
        CountDownLatch grown = new CountDownLatch(1);
        CountDownLatch recorded = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(1);
        Thread thread =
                new Thread(
                        () -> {
                            allocate(BEFORE);
                            grown.countDown();
                            while (recorded.getCount() > 0) {
                                allocate(TRICKLE);
                                LockSupport.parkNanos(PAUSE_NANOS);
                            }
                            for (long bytes = 0; bytes < RECORDED; bytes += STEP) {
                                allocate(STEP);
                                LockSupport.parkNanos(PAUSE_NANOS);
                            }
                            done.countDown();
                            LockSupport.park();
                        },
                        THREAD);
        thread.setDaemon(true);
        thread.start();
        grown.await();
        try (Recording recording = new Recording()) {
            recording.enable("jdk.ActiveSetting");
            recording.enable("jdk.ObjectAllocationSample").with("throttle", args[1]);
            recording.enable("jdk.ThreadAllocationStatistics").with("period", "everyChunk");
            recording.start();
            recorded.countDown();
            Thread late =
                    new Thread(
                            () -> {
                                kept = new byte[LATE];
                                LockSupport.park();
                            },
                            LATE_THREAD);
            late.setDaemon(true);
            late.start();
            done.await();
            recording.stop();
            recording.dump(Path.of(args[0]));
        }
    }

    private static void allocate(long bytes) {
        for (long left = bytes; left > 0; left -= OBJECT) {
            kept = new byte[OBJECT - HEADER];
        }
    }
}
