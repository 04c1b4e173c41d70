package dev.heatline.collector.jvm;

import org.jspecify.annotations.Nullable;

/** A JVM that cannot be recorded; the message says which, why, and what to do. */
public final class JvmException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean harmful;

    JvmException(String message) {
        this(message, null, false);
    }

    JvmException(String message, Throwable cause) {
        this(message, cause, false);
    }

    private JvmException(String message, @Nullable Throwable cause, boolean harmful) {
        super(OneLine.of(message), cause);
        this.harmful = harmful;
    }

    /** A JVM that took the signal to listen, and did not listen. */
    static JvmException unanswered(String message, Throwable cause) {
        return new JvmException(message, cause, true);
    }

    /** The message for people who were just told which JVM it is about, or may be. */
    public String about(Jvm named) {
        return String.valueOf(getMessage()).replace(named.toString(), "it");
    }

    /**
     * Whether asking again may disturb the application: a JVM that refuses attach without saying so
     * beforehand answers every attempt with a thread dump on its console.
     */
    public boolean isHarmfulToRepeat() {
        return harmful;
    }
}
