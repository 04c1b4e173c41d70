package dev.heatline.server.measure;

import dev.heatline.wire.CallOrder;
import dev.heatline.wire.FollowedJvm;
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
 * @param from when it began
 * @param until when it ended
 * @param ending whether somebody wants it to end
 * @param heard when the collector last said something of it
 * @param seen what it said
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

    /** How far a measurement is. */
    public enum State {
        /** No collector has taken it up yet. */
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
    Measurement told(State next, String why, Seen now, Instant when) {
        return new Measurement(
                order,
                jvm,
                next,
                why,
                created,
                from.or(() -> next == State.FAILED ? Optional.empty() : Optional.of(when)),
                next.isOver() ? Optional.of(when) : Optional.empty(),
                ending,
                when,
                seen.then(now));
    }

    Measurement failed(String why, Instant when) {
        return told(State.FAILED, why, seen, when);
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
}
