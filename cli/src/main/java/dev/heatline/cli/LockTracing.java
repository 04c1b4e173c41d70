package dev.heatline.cli;

import dev.heatline.collector.jvm.Jvm;
import dev.heatline.collector.jvm.JvmException;
import dev.heatline.collector.locks.LockWatch;

/** The lock tracer of a JVM, begun with what to do where it does not work. */
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
}
