package dev.heatline.model;

/** Something about the data or the question that a user can mend; the message says how. */
public final class ModelException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ModelException(String message) {
        super(message);
    }
}
