package dev.heatline.bench;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * The CPU time of a process, all threads included: collector, compiler and ours. Read by
 * clock_gettime, because the JDK's own reading moves in steps of ten milliseconds.
 */
final class CpuClock {
    private static final int CLOCK_PROCESS_CPUTIME_ID = 2;

    @SuppressWarnings("restricted")
    private static final MethodHandle CLOCK_GETTIME =
            Linker.nativeLinker()
                    .downcallHandle(
                            Linker.nativeLinker().defaultLookup().findOrThrow("clock_gettime"),
                            FunctionDescriptor.of(
                                    ValueLayout.JAVA_INT,
                                    ValueLayout.JAVA_INT,
                                    ValueLayout.ADDRESS));

    private static final MemorySegment TIMESPEC = Arena.global().allocate(16, 8);

    private CpuClock() {}

    /** Nanoseconds of CPU time used so far. */
    static long nanos() {
        return read(CLOCK_PROCESS_CPUTIME_ID);
    }

    /**
     * Nanoseconds of CPU time another process used so far. Its clock has the number that
     * clock_getcpuclockid would give.
     */
    static long nanos(long pid) {
        return read(~(int) pid << 3 | CLOCK_PROCESS_CPUTIME_ID);
    }

    private static synchronized long read(int clock) {
        try {
            int failed = (int) CLOCK_GETTIME.invokeExact(clock, TIMESPEC);
            if (failed != 0) {
                throw new IllegalStateException("clock_gettime failed");
            }
        } catch (Throwable e) {
            throw new IllegalStateException("no CPU clock", e);
        }
        return TIMESPEC.get(ValueLayout.JAVA_LONG, 0) * 1_000_000_000L
                + TIMESPEC.get(ValueLayout.JAVA_LONG, 8);
    }
}
