package dev.heatline.collector;

import dev.heatline.collector.jvm.FlightRecorder;
import dev.heatline.collector.jvm.FlightRecording;
import dev.heatline.collector.jvm.Jvm;
import dev.heatline.collector.jvm.JvmException;
import dev.heatline.collector.jvm.Jvms;
import dev.heatline.collector.spool.Once;
import dev.heatline.collector.spool.Spool;
import dev.heatline.collector.spool.SpoolException;
import dev.heatline.formats.FormatException;
import dev.heatline.formats.jfr.LiveRecording;
import dev.heatline.formats.jfr.LiveRecording.Position;
import dev.heatline.wire.RecordingSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * One JVM: its recorder is switched on, what it writes is followed, and every interval becomes a
 * profile in the spool, until the JVM ends or the collector does.
 */
final class Target implements Runnable {

    /** How often the recorder flushes, and therefore how often it is worth looking. */
    private static final Duration LOOK = RecordingSettings.FLUSH_INTERVAL;

    /**
     * A recorder flushes even if nothing happens in its JVM. One that does not for so long was
     * stopped, or writes somewhere else by now.
     */
    private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** How long the wait between questions to a silent JVM becomes. */
    private static final long MAX_QUIET_NANOS = TimeUnit.MINUTES.toNanos(5);

    /**
     * Chunks may begin a little before the recorder answers that it has started. What other
     * recordings of the JVM wrote long before is not ours.
     */
    private static final long START_SLACK_NANOS = 10_000_000_000L;

    /** For a JVM that does not answer to have ended. */
    private final Jvm jvm;

    private final CollectorOptions options;
    private final Spool spool;
    private final Memory memory;
    private final CallTimes callTimes;
    private final CountDownLatch stop;
    private final Once obstacles;
    private final Consumer<String> say;
    private final Budget budget;
    private final CostMeter costs;
    private final TracedLocks locks;
    private RecordingSettings recorded;

    /** Whether it was left on with other settings, and has them until all of it was read. */
    private boolean leftOn;

    /** What the JVM says it records for us; its chunks hold what others want, too. */
    private Set<String> ours = Set.of();

    /** Whether nothing was recorded in a part of this interval: it tells nothing of costs. */
    private boolean wasSuspended;

    /** What is not recorded because of the budget; empty if nothing. */
    private String reduction = "";

    private Position lastPosition = Position.START;
    private long quietSince;
    private long quietNanos;

    /** Whether anything came of it; read by the thread that looks for JVMs. */
    private volatile boolean followed;

    /** Whether another try would disturb the application; read by the same. */
    private volatile boolean hopeless;

    /**
     * @param budget of this JVM
     * @param callTimes when calls were measured in it
     * @param stop opened when the collector ends
     * @param obstacles told why the JVM cannot be profiled; the same for every try
     * @param say takes other remarks for people, one line each
     */
    Target(
            Jvm jvm,
            CollectorOptions options,
            Budget budget,
            Spool spool,
            Memory memory,
            CallTimes callTimes,
            CountDownLatch stop,
            Once obstacles,
            Consumer<String> say) {
        this.jvm = jvm;
        this.options = options;
        this.spool = spool;
        this.memory = memory;
        this.callTimes = callTimes;
        this.stop = stop;
        this.obstacles = obstacles;
        this.say = say;
        this.budget = budget;
        this.locks = new TracedLocks(jvm, options.lockAgent(), memory, obstacles);
        this.costs = new CostMeter(jvm);
        this.recorded = budget.settings();
    }

    /** Whether the JVM was profiled, for a while at least. */
    boolean hasFollowed() {
        return followed;
    }

    /** Whether it had better not be tried again. */
    boolean isHopeless() {
        return hopeless;
    }

    @Override
    public void run() {
        try {
            Optional<FlightRecording> recording = switchedOn(jvm);
            if (recording.isPresent()) {
                follow(recording.get());
            }
        } catch (JvmException e) {
            hopeless = e.isHarmfulToRepeat();
            refused(e.about(jvm));
        } catch (FormatException | SpoolException e) {
            refused(String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            // What one JVM wrote must not end the profiling of all others.
            refused(e.toString());
        }
    }

    private void refused(String why) {
        if (jvm.process().isAlive()) {
            obstacles.say(jvm + " is not profiled: " + why);
        }
    }

    /** Empty for a JVM that cannot be attached to and was not started with the agent. */
    private Optional<FlightRecording> switchedOn(Jvm now) {
        if (now.obstacle().isPresent() && FlightRecorder.find(now).isEmpty()) {
            refused(now.obstacle().get());
            return Optional.empty();
        }
        FlightRecorder.Found found = FlightRecorder.startOrFind(now, recorded, reduction);
        found.recording().remark().ifPresent(say);
        leftOn = !found.asWanted();
        return Optional.of(found.recording());
    }

    private void follow(FlightRecording recording) throws InterruptedException {
        String source = recording.repository().toString();
        ours = recording.events();
        if (leftOn) {
            reduction = recording.reduction();
        }
        Position from =
                spool.position(source)
                        .map(written -> Mark.parse(written).position())
                        .orElseGet(() -> begin(recording));
        Suspension suspension = new Suspension(jvm, recording.repository(), obstacles, say);
        locks.switchOn(true);
        try (locks;
                WantedEvents events = new WantedEvents(recording.repository(), wanted(), from);
                IntervalWriter writer =
                        new IntervalWriter(
                                spool,
                                memory,
                                source,
                                jvm.process(),
                                jvm.execution(),
                                callTimes,
                                say)) {
            writer.begin(from);
            costs.start();
            lastPosition = from;
            heard(from);
            boolean alive = true;
            boolean over = false;
            boolean stopped = false;
            boolean kept = false;
            // What was left on gets the settings that are wanted as soon as it was read.
            long due = leftOn ? System.nanoTime() : nextDue();
            while (!stopped && !(over && kept)) {
                stopped = stop.await(LOOK.toMillis(), TimeUnit.MILLISECONDS);
                costs.look();
                locks.look();
                // Asked before reading: what a JVM wrote before its end is all there then.
                alive = jvm.process().isAlive();
                if (stopped && alive) {
                    // A JVM deletes what nobody records any more; what is open stays readable.
                    readFlushed(writer, events.live());
                    locks.stop();
                    switchOff();
                }
                if (alive && !stopped) {
                    events.want(wanted());
                }
                boolean all = readFlushed(writer, events.live());
                if (alive && !over && !stopped) {
                    suspension.look();
                }
                wasSuspended |= suspension.isOn();
                if (!over
                        && !stopped
                        && (!alive || !isWrittenTo(recording, events.live(), suspension))) {
                    over = true;
                    due = System.nanoTime();
                }
                if (stopped || System.nanoTime() - due >= 0) {
                    if (!alive && all) {
                        end(writer, recording.repository(), events.live().position());
                    }
                    kept = closeInterval(writer, events.live()) && all;
                    due = nextDue();
                    if (all && !over && !stopped && !suspension.isOn()) {
                        keepToBudget(writer, events.live());
                    }
                }
            }
            if (!alive && kept) {
                forget(recording.repository());
            }
        }
    }

    private void end(IntervalWriter writer, Path repository, Position position) {
        if (Orphans.isLost(repository, position) && writer.lose(Instant.now())) {
            say.accept(jvm + " ended and deleted its recording before that was read");
        }
        writer.end();
    }

    private void forget(Path repository) {
        Remains.deleteOrSay(repository, say);
        spool.forget(repository.toString());
    }

    /** The recorder tells of monitors, too, but not all, and they must not be there twice. */
    private Set<String> wanted() {
        Set<String> names = new TreeSet<>(ours);
        if (locks.areOn()) {
            names.remove(RecordingSettings.MONITOR_ENTER);
        }
        return names;
    }

    private static Position begin(FlightRecording recording) {
        return Position.since(recording.since().toEpochMilli() * 1_000_000 - START_SLACK_NANOS);
    }

    /** Where memory does not hold all of it, in several profiles. */
    private boolean readFlushed(IntervalWriter writer, LiveRecording live) {
        boolean all = writer.read(live);
        while (!all && !writer.isBlocked() && closeInterval(writer, live)) {
            all = writer.read(live);
        }
        return all;
    }

    private void heard(Position position) {
        followed |= !position.equals(lastPosition);
        lastPosition = position;
        quietSince = System.nanoTime();
        quietNanos = QUIET_NANOS;
    }

    /** Whether the recorder still writes there. One that was stopped is switched on again. */
    private boolean isWrittenTo(
            FlightRecording recording, LiveRecording live, Suspension suspension) {
        if (!live.position().equals(lastPosition)) {
            heard(live.position());
            suspension.hear();
        }
        if (suspension.isOn()) {
            return !suspension.hasRoom() || isResumed(recording, suspension);
        }
        if (System.nanoTime() - quietSince < quietNanos || suspension.explainsSilence()) {
            return true;
        }
        quietSince = System.nanoTime();
        quietNanos = Math.min(2 * quietNanos, MAX_QUIET_NANOS);
        return isOnAgain(recording);
    }

    private boolean isResumed(FlightRecording recording, Suspension suspension) {
        boolean resumed = !suspension.isOurs() || isOnAgain(recording);
        if (resumed) {
            suspension.end();
            heard(lastPosition);
        }
        // The room may have gone again.
        return resumed || !suspension.hasRoom();
    }

    private boolean isOnAgain(FlightRecording recording) {
        try {
            return Jvms.find(jvm.pid())
                    .filter(now -> now.process().equals(jvm.process()))
                    .flatMap(this::switchedOn)
                    .filter(now -> now.repository().equals(recording.repository()))
                    .isPresent();
        } catch (JvmException e) {
            refused(e.about(jvm));
            return false;
        }
    }

    private boolean closeInterval(IntervalWriter writer, LiveRecording live) {
        CostMeter.Cost cost = costs.sinceLast().plusRecorder(locks.spentNanos());
        // A step that could not be taken yet is not followed by another.
        if (cost.isKnown() && !wasSuspended && jvm.obstacle().isEmpty() && isAsWanted()) {
            budget.spent(
                    cost.recorderNanos(), cost.readerNanos(), cost.jvmNanos(), cost.wallNanos());
        }
        wasSuspended = false;
        locks.ran(cost.taken().all().correctedNanos());
        if (!writer.isBlocked()) {
            locks.take().ifPresent(writer::add);
        }
        return writer.keep(live.position(), cost, reduction);
    }

    private void keepToBudget(IntervalWriter writer, LiveRecording live) {
        boolean locksWanted = budget.tracesLocks();
        locks.switchOn(locksWanted);
        boolean changed =
                locksWanted == locks.areOn()
                        && isAsWanted()
                        && !budget.reduction().equals(reduction);
        if (changed) {
            reduced();
        }
        if (changed || !isAsWanted()) {
            changeSettings(writer, live);
        }
    }

    private boolean isAsWanted() {
        return !leftOn && budget.settings().equals(recorded);
    }

    private void reduced() {
        if (!budget.reduction().equals(reduction)) {
            reduction = budget.reduction();
            say.accept(
                    jvm
                            + ": profiling took "
                            + budget.cost()
                            + ", now "
                            + (reduction.isEmpty() ? "everything is recorded" : reduction));
        }
    }

    /**
     * And announces what is left out, also if that is all that changes. With the old recording the
     * JVM deletes what the new one has no part in, so all that is not open here is read first.
     */
    private void changeSettings(IntervalWriter writer, LiveRecording live) {
        try {
            Set<String> later =
                    FlightRecorder.change(
                                    jvm,
                                    budget.settings(),
                                    budget.reduction(),
                                    () -> readFlushed(writer, live))
                            .events();
            // Until now more was recorded than will be.
            readFlushed(writer, live);
            ours = later;
            recorded = budget.settings();
            if (leftOn) {
                // It was another collector that left something out.
                leftOn = false;
                reduction = budget.reduction();
            }
            reduced();
        } catch (JvmException e) {
            if (jvm.process().isAlive()) {
                obstacles.say(jvm + " does not change its recording: " + e.about(jvm));
            }
        }
    }

    private void switchOff() {
        try {
            FlightRecorder.stop(jvm);
        } catch (JvmException e) {
            if (!jvm.isEnding()) {
                say.accept(jvm + " is still recording: " + e.about(jvm));
            }
        }
    }

    /** Intervals end with the minute, so that those of many JVMs can be put together. */
    private long nextDue() {
        long length = options.interval().toMillis();
        long left = length - System.currentTimeMillis() % length;
        return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(left);
    }
}
