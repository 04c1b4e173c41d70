package dev.heatline.server.measure;

import dev.heatline.wire.CallOrder;
import dev.heatline.wire.CallReport;
import dev.heatline.wire.FollowedJvm;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * One measurement, as it stands.
 *
 * @param order what was asked for
 * @param jvm where
 * @param state how far it is
 * @param message why it failed, or what it waits for; may be empty
 * @param created when it was asked for
 * @param from when it began, by the collector's clock, as its profile has it
 * @param until when it ended, likewise
 * @param ending whether somebody wants it to end
 * @param heard when the collector last said something of it or of the JVM
 * @param seen what it said last
 */
public record Measurement(
        CallOrder order,
        FollowedJvm jvm,
        State state,
        String message,
        Instant created,
        Optional<Instant> from,
        Optional<Instant> until,
        boolean ending,
        Instant heard,
        Seen seen) {

    /** Of a collector that says nothing for so long, nothing is to be expected. */
    static final Duration SILENCE = Duration.ofSeconds(30);

    /** How far a measurement is. */
    public enum State {
        /** The collector has not begun yet, or is changing methods. */
        WAITING,
        RUNNING,
        ENDED,
        FAILED;

        public boolean isOver() {
            return this == ENDED || this == FAILED;
        }
    }

    static Measurement ordered(CallOrder order, FollowedJvm jvm, Instant now) {
        return new Measurement(
                order,
                jvm,
                State.WAITING,
                "waiting for the collector",
                now,
                Optional.empty(),
                Optional.empty(),
                false,
                now,
                Seen.NOTHING);
    }

    /** After the collector said this of it. */
    Measurement told(CallReport report, Seen next, Instant now) {
        State told =
                switch (report.state()) {
                    case RUNNING -> State.RUNNING;
                    case ENDED -> State.ENDED;
                    case FAILED -> State.FAILED;
                };
        return new Measurement(
                order,
                jvm,
                told,
                report.message(),
                created,
                Optional.of(Instant.ofEpochMilli(report.fromMillis())),
                told.isOver()
                        ? Optional.of(Instant.ofEpochMilli(report.untilMillis()))
                        : Optional.empty(),
                ending,
                now,
                seen.then(next));
    }

    /** After something was heard of its collector. */
    Measurement heard(Instant now) {
        return new Measurement(order, jvm, state, message, created, from, until, ending, now, seen);
    }

    /** When somebody wants it to end. */
    Measurement toEnd() {
        return new Measurement(order, jvm, state, message, created, from, until, true, heard, seen);
    }

    /** Without what takes memory. */
    Measurement forgotten() {
        return new Measurement(
                order, jvm, state, message, created, from, until, ending, heard, Seen.NOTHING);
    }

    /** As it looks at a moment: who says nothing any more has failed, unless he does after all. */
    Measurement at(Instant now) {
        if (state.isOver()) {
            return this;
        }
        if (heard.isBefore(now.minus(SILENCE))) {
            return failed(
                    state == State.WAITING
                            ? "the collector did not take it up"
                            : "the collector does not report any more");
        }
        return state == State.WAITING && ending ? failed("ended before it began") : this;
    }

    private Measurement failed(String why) {
        return new Measurement(
                order, jvm, State.FAILED, why, created, from, until, ending, heard, seen);
    }
}
