package dev.heatline.formats;

/** A file that cannot be read or written; the message says what is wrong, where, what to do. */
public final class FormatException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public FormatException(String message) {
        super(message);
    }
}
