package dev.heatline.collector;

import dev.heatline.collector.jvm.FlightRecorder;
import dev.heatline.collector.jvm.FlightRecording;
import dev.heatline.collector.jvm.Jvm;
import dev.heatline.collector.jvm.JvmException;
import dev.heatline.collector.spool.Spool;
import dev.heatline.formats.FormatException;
import dev.heatline.formats.jfr.LiveRecording;
import dev.heatline.formats.jfr.LiveRecording.Position;
import dev.heatline.wire.RecordingSettings;
import java.time.Duration;
import java.util.Optional;
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

    /** An interval with more calling contexts is closed before its time: memory is bounded. */
    private static final int MAX_NODES = 1_500_000;

    /**
     * Chunks may begin a little before the recorder answers that it has started. What other
     * recordings of the JVM wrote long before is not ours.
     */
    private static final long START_SLACK_NANOS = 10_000_000_000L;

    private final Jvm jvm;
    private final CollectorOptions options;
    private final Spool spool;
    private final CountDownLatch stop;
    private final Consumer<String> say;
    private final Budget budget;
    private final CostMeter costs;
    private RecordingSettings recorded;

    /**
     * @param stop opened when the collector ends
     * @param say takes remarks for people, one line each
     */
    Target(
            Jvm jvm,
            CollectorOptions options,
            Spool spool,
            CountDownLatch stop,
            Consumer<String> say) {
        this.jvm = jvm;
        this.options = options;
        this.spool = spool;
        this.stop = stop;
        this.say = say;
        this.budget = new Budget(options.budget(), options.recording());
        this.costs = new CostMeter(jvm);
        this.recorded = budget.settings();
    }

    @Override
    public void run() {
        try {
            Optional<FlightRecording> recording = switchedOn();
            if (recording.isPresent()) {
                follow(recording.get());
            }
        } catch (JvmException | FormatException e) {
            if (jvm.process().isAlive()) {
                say.accept(jvm + " is not profiled: " + e.getMessage());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A JVM that cannot be attached to may still have been started with the agent. */
    private Optional<FlightRecording> switchedOn() {
        return jvm.obstacle().isPresent()
                ? FlightRecorder.find(jvm)
                : Optional.of(FlightRecorder.start(jvm, budget.settings()));
    }

    private void follow(FlightRecording recording) throws InterruptedException {
        String source = recording.repository().toString();
        IntervalWriter writer = new IntervalWriter(spool, source, jvm.execution(), say);
        Position from = spool.position(source).map(Position::parse).orElse(Position.START);
        long since = recording.since().toEpochMilli() * 1_000_000 - START_SLACK_NANOS;
        try (LiveRecording live =
                new LiveRecording(recording.repository(), options.eventNames(), from, since)) {
            costs.start();
            boolean alive = true;
            boolean stopped = false;
            long due = nextDue();
            while (alive && !stopped) {
                stopped = stop.await(LOOK.toMillis(), TimeUnit.MILLISECONDS);
                // Asked before reading: what a JVM wrote before its end is all there then.
                alive = jvm.process().isAlive();
                if (stopped && alive) {
                    switchOff();
                }
                live.read(writer.interval());
                boolean full = writer.interval().nodeCount() > MAX_NODES;
                if (!alive || stopped || full || System.nanoTime() - due >= 0) {
                    closeInterval(writer, live.position(), full);
                    due = nextDue();
                    if (alive && !stopped) {
                        keepToBudget();
                    }
                }
            }
            if (!alive) {
                spool.forget(source);
            }
        }
    }

    private void closeInterval(IntervalWriter writer, Position position, boolean full) {
        CostMeter.Cost cost = costs.sinceLast();
        writer.close(position, cost, budget.reduction(), full);
        if (cost.isKnown()) {
            budget.spent(cost.profilingNanos(), cost.jvmNanos(), cost.wallNanos());
        }
    }

    private void keepToBudget() {
        if (!budget.settings().equals(recorded) && jvm.obstacle().isEmpty()) {
            changeSettings();
            recorded = budget.settings();
        }
    }

    private void changeSettings() {
        try {
            FlightRecorder.change(jvm, budget.settings());
            String now = budget.reduction();
            say.accept(
                    jvm
                            + ": profiling took "
                            + budget.cost()
                            + ", now "
                            + (now.isEmpty() ? "everything is recorded" : now));
        } catch (JvmException e) {
            if (jvm.process().isAlive()) {
                say.accept(jvm + " does not change its recording: " + e.getMessage());
            }
        }
    }

    /** What the agent of the application switched on stays on. */
    private void switchOff() {
        boolean agent = jvm.announcement().map(known -> !known.options().isEmpty()).orElse(false);
        if (jvm.obstacle().isEmpty() && !agent) {
            try {
                FlightRecorder.stop(jvm);
            } catch (JvmException e) {
                say.accept(jvm + " is still recording: " + e.getMessage());
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
