package dev.heatline.formats;

/**
 * A file that cannot be read or written; the message says what is wrong, where, what to do. What it
 * quotes of the file may be as long as that, and is cut.
 */
public final class FormatException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private static final int LONGEST = 1000;

    public FormatException(String message) {
        super(message.length() > LONGEST ? message.substring(0, LONGEST) + " …" : message);
    }
}
