package dev.heatline.formats;

/**
 * A file that cannot be read or written; the message says what is wrong, where, what to do. What it
 * quotes of the file may be as long as that, so its middle is cut out.
 */
public final class FormatException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private static final int HALF = 500;

    public FormatException(String message) {
        super(cut(message));
    }

    private static String cut(String message) {
        int length = message.length();
        return length <= 2 * HALF
                ? message
                : message.substring(0, HALF) + " … " + message.substring(length - HALF);
    }
}
