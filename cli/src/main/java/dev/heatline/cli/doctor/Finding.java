package dev.heatline.cli.doctor;

import java.util.Optional;

/**
 * One thing that was looked at.
 *
 * @param subject what it is, in a word or two
 * @param state how well it works here
 * @param reason what was found and what that means
 * @param remedy the command that changes it, where one does
 */
public record Finding(String subject, State state, String reason, Optional<String> remedy) {

    /** How well something works. */
    public enum State {
        OK,
        /** Some of what it is for works. */
        LIMITED,
        NO
    }

    static Finding ok(String subject, String reason) {
        return new Finding(subject, State.OK, reason, Optional.empty());
    }

    static Finding limited(String subject, String reason, String remedy) {
        return new Finding(subject, State.LIMITED, reason, Optional.of(remedy));
    }

    static Finding no(String subject, String reason, String remedy) {
        return new Finding(subject, State.NO, reason, Optional.of(remedy));
    }

    /** Limited in a way that no command changes. */
    static Finding limited(String subject, String reason) {
        return new Finding(subject, State.LIMITED, reason, Optional.empty());
    }
}
