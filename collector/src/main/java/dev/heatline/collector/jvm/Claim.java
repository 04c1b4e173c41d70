package dev.heatline.collector.jvm;

import dev.heatline.wire.Announcement;
import dev.heatline.wire.Announcements;
import dev.heatline.wire.ProcessKey;
import java.io.Closeable;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * What is announced about a JVM at this moment, and with it whose its recording is: one collector's
 * at a time, or two would send the same samples. A collector that was killed has lost its claim.
 */
final class Claim {
    private final Jvm jvm;
    private final Optional<Announcement> known;

    /** Why it cannot be written down; empty if it is, or was not to be. */
    private final Optional<String> remark;

    private Claim(Jvm jvm, Optional<Announcement> known, Optional<String> remark) {
        this.jvm = jvm;
        this.known = known;
        this.remark = remark;
    }

    /** Asked again: the JVM may have been looked at long ago. */
    static Claim of(Jvm jvm) {
        return new Claim(jvm, Announcements.here().of(jvm.process()), Optional.empty());
    }

    /**
     * Makes it ours, before anything is done there. Collectors of one user look and write one after
     * the other. Those of several users write first and then look again: of two that come at the
     * same moment both may give way, but never do both have it.
     *
     * @throws JvmException if another collector has it
     */
    static synchronized Claim take(Jvm jvm) {
        try (Closeable _ = Announcements.here().alone()) {
            return of(jvm).taken();
        } catch (IOException e) {
            // Where that is not possible, it is still worth trying to write it down.
            return of(jvm).taken();
        }
    }

    private Claim taken() {
        requireFree();
        Optional<String> unwritten =
                write(known.orElseGet(this::nothing).with(Optional.of(ProcessKey.current())));
        try {
            requireFree();
        } catch (JvmException e) {
            giveBack();
            throw e;
        }
        return new Claim(jvm, known, unwritten);
    }

    private void requireFree() {
        Optional<ProcessKey> other = other();
        if (other.isPresent()) {
            throw new JvmException(
                    jvm
                            + " is profiled by another Heatline collector, process "
                            + other.get().pid()
                            + ": its server has the profiles, or stop it first");
        }
    }

    /** The other collector that has it. */
    Optional<ProcessKey> other() {
        return Announcements.here().collectors(jvm.process()).stream()
                .filter(collector -> !collector.equals(ProcessKey.current()))
                .findFirst();
    }

    /** Why others do not know that it is ours; empty if they do. */
    Optional<String> remark() {
        return remark;
    }

    boolean byAgent() {
        return known.map(Announcement::byAgent).orElse(false);
    }

    /** The recording as it was announced. */
    Optional<FlightRecording> recording() {
        return known.filter(Announcement::isOn).map(FlightRecording::of);
    }

    /** When the settings were made; the beginning of time if nobody wrote it down. */
    Instant since() {
        return recording().map(FlightRecording::since).orElse(Instant.EPOCH);
    }

    /** What is left out; empty if nothing, or nobody wrote it down. */
    String reduction() {
        return recording().map(FlightRecording::reduction).orElse("");
    }

    /** Undoes taking it: nothing was begun. */
    void giveBack() {
        Optional<Announcement> told = agentsOrKnown();
        if (told.isPresent()) {
            write(told.get().with(known.flatMap(Announcement::collector)));
        } else {
            withdraw();
        }
    }

    /** Announces our recording. Returns why that cannot be written down. */
    Optional<String> announce(FlightRecording recording) {
        Optional<Announcement> told = agentsOrKnown();
        boolean byAgent = told.map(Announcement::byAgent).orElse(false);
        return write(
                new Announcement(
                        jvm.process(),
                        byAgent,
                        told.map(Announcement::options).orElse(Map.of()),
                        recording.settings(),
                        recording.repository().toString(),
                        recording.stackDepth(),
                        recording.since().toEpochMilli(),
                        // Another collector's is over.
                        byAgent ? told.map(Announcement::problem).orElse("") : "",
                        recording.reduction(),
                        Optional.of(ProcessKey.current())));
    }

    /** What the agent has said meanwhile stays said: a JVM that starts is slow to answer. */
    private Optional<Announcement> agentsOrKnown() {
        return Announcements.here().of(jvm.process()).filter(Announcement::byAgent).or(() -> known);
    }

    /** Announces that nothing is recorded for now. Returns why that cannot be written down. */
    Optional<String> suspend(String why) {
        return write(known.orElseGet(this::nothing).suspended(why, System.currentTimeMillis()));
    }

    /** Leaves what goes on without us to whoever comes next. */
    void release() {
        known.ifPresent(announcement -> write(announcement.with(Optional.empty())));
    }

    /** Nothing is recorded any more. */
    Optional<String> withdraw() {
        try {
            Announcements.here().delete(jvm.process());
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(jvm + " stays listed as recorded: " + e.getMessage());
        }
    }

    private Announcement nothing() {
        return new Announcement(
                jvm.process(), false, Map.of(), Map.of(), "", 0, 0, "", "", Optional.empty());
    }

    /** Only other collectors and {@code list} miss it: no reason not to record. */
    private Optional<String> write(Announcement announcement) {
        try {
            Announcements.here().deleteStale();
            Announcements.here().write(announcement);
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(
                    "cannot announce the recording of "
                            + jvm
                            + ", so other collectors do not know of it: "
                            + e.getMessage());
        }
    }
}
