package dev.heatline.server;

/** A request that is not carried out. The message goes to whoever sent it: one line, for people. */
public final class Refusal extends RuntimeException {
    private final int status;
    private final String reason;
    private final int retryAfterSeconds;

    /**
     * @param status of the HTTP answer
     */
    public Refusal(int status, String message) {
        this(status, message, 0);
    }

    /**
     * @param retryAfterSeconds when the same request may succeed; 0 if it never will
     */
    public Refusal(int status, String message, int retryAfterSeconds) {
        super(message);
        this.status = status;
        this.reason = message;
        this.retryAfterSeconds = retryAfterSeconds;
    }

    int status() {
        return status;
    }

    String reason() {
        return reason;
    }

    int retryAfterSeconds() {
        return retryAfterSeconds;
    }
}
