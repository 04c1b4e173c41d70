package dev.heatline.server;

/** The server cannot start as it was told to; the message says why, and what to do. */
public final class ServerException extends RuntimeException {

    public ServerException(String message) {
        super(message);
    }
}
