package dev.heatline.collector.jvm;

/** A JVM that cannot be recorded; the message says which, why, and what to do. */
public final class JvmException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    JvmException(String message) {
        super(message);
    }

    JvmException(String message, Throwable cause) {
        super(message, cause);
    }
}
