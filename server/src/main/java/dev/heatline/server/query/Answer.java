package dev.heatline.server.query;

import java.util.Optional;

/** What is sent back. */
final class Answer {
    private final int status;
    private final byte[] body;
    private final Optional<String> fileName;

    private Answer(int status, byte[] body, Optional<String> fileName) {
        this.status = status;
        this.body = body;
        this.fileName = fileName;
    }

    static Answer json(byte[] body) {
        return new Answer(200, body, Optional.empty());
    }

    /** A message that says why there is no answer. */
    static Answer error(int status, String message) {
        return new Answer(
                status,
                Json.object(json -> json.writeStringProperty("error", message)),
                Optional.empty());
    }

    static Answer file(String name, byte[] body) {
        return new Answer(200, body, Optional.of(name));
    }

    int status() {
        return status;
    }

    byte[] body() {
        return body;
    }

    /** Present if it is to be saved and not shown. */
    Optional<String> fileName() {
        return fileName;
    }
}
