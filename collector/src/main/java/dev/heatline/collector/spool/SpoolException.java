package dev.heatline.collector.spool;

/** The spool cannot do what was asked; the message says why and what to do, for people. */
public final class SpoolException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    SpoolException(String message) {
        super(message);
    }

    SpoolException(String message, Throwable cause) {
        super(message, cause);
    }
}
