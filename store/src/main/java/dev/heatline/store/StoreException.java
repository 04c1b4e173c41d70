package dev.heatline.store;

/** The store cannot do what was asked; the message says why, for people. */
public final class StoreException extends RuntimeException {

    public StoreException(String message, Throwable cause) {
        super(message, cause);
    }

    public StoreException(String message) {
        super(message);
    }
}
