package dev.heatline.cli;

import dev.heatline.collector.jvm.Jvm;
import dev.heatline.collector.jvm.JvmException;
import dev.heatline.collector.jvm.LockTracer;
import dev.heatline.collector.locks.LockWatch;
import dev.heatline.wire.LockTrace;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/** The lock tracer of a JVM: begun with what to do where it does not work, or seen from outside. */
final class LockTracing {
    private LockTracing() {}

    /**
     * Begins to trace.
     *
     * @throws CommandException if that is not possible; says what is possible instead
     */
    static LockWatch start(Jvm jvm) {
        try {
            return LockWatch.start(jvm, Installation.here().agent());
        } catch (JvmException e) {
            boolean recordable = jvm.process().isAlive() && jvm.obstacle().isEmpty();
            String instead =
                    "; heatline record "
                            + jvm.pid()
                            + " -e wait shows what the flight recorder knows: who waited, and how"
                            + " long";
            throw new CommandException(e.getMessage() + (recordable ? instead : ""));
        }
    }

    /** Whether somebody traces the locks of a JVM now, as far as this user can see. */
    static boolean isOnIn(Jvm jvm) {
        return LockTracer.traces(jvm).stream().anyMatch(trace -> isOn(trace, jvm.pid()));
    }

    /** What cannot be read is another user's, or was deleted just now. */
    private static boolean isOn(Path trace, long pid) {
        if (!Files.isRegularFile(trace, LinkOption.NOFOLLOW_LINKS) || !Files.isReadable(trace)) {
            return false;
        }
        try (InputStream in = Files.newInputStream(trace)) {
            ByteBuffer header =
                    ByteBuffer.wrap(in.readNBytes(LockTrace.HEADER_SIZE))
                            .order(ByteOrder.LITTLE_ENDIAN);
            return header.capacity() == LockTrace.HEADER_SIZE
                    && header.getLong(0) == LockTrace.MAGIC
                    && header.getInt(LockTrace.PID) == pid
                    && header.getInt(LockTrace.STATE) == LockTrace.STATE_ON;
        } catch (IOException e) {
            return false;
        }
    }
}
