package dev.heatline.server.measure;

/** A measurement that cannot be had, for whoever wanted it. */
public final class MeasureException extends RuntimeException {
    private final int status;

    /**
     * @param status of the HTTP answer
     */
    MeasureException(int status, String message) {
        super(message);
        this.status = status;
    }

    public int status() {
        return status;
    }
}
