package dev.heatline.shop;

/** A request that cannot be answered; the message is for the one who sent it. */
final class RequestException extends RuntimeException {
    private final int status;

    private RequestException(int status, String message) {
        super(message);
        this.status = status;
    }

    static RequestException wrong(String message) {
        return new RequestException(400, message);
    }

    static RequestException notFound(String message) {
        return new RequestException(404, message);
    }

    static RequestException conflict(String message) {
        return new RequestException(409, message);
    }

    int status() {
        return status;
    }
}
