package dev.heatline.server.query;

/** A question that cannot be answered; the message says why and what to do. */
final class QueryException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;

    private QueryException(int status, String message) {
        super(message);
        this.status = status;
    }

    static QueryException badRequest(String message) {
        return new QueryException(400, message);
    }

    static QueryException notFound(String message) {
        return new QueryException(404, message);
    }

    static QueryException tooLarge(String message) {
        return new QueryException(413, message);
    }

    static QueryException busy(String message) {
        return new QueryException(503, message);
    }

    /** The HTTP status that tells a program the same. */
    int status() {
        return status;
    }
}
