package dev.heatline.agent;

/** Something cannot be done, for a reason that the person who wants it can understand. */
public final class RefusedException extends Exception {
    public RefusedException(String message) {
        super(message);
    }
}
