package dev.heatline.server.query;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;

/** What is sent back: a text, or a file that is written while it is sent. */
final class Answer {
    private final int status;
    private final byte[] body;
    private final Optional<File> file;

    /** What is to be saved and not shown. */
    record File(String name, Content content) {}

    /** Writes a file. */
    interface Content {
        void writeTo(OutputStream out) throws IOException;
    }

    private Answer(int status, byte[] body, Optional<File> file) {
        this.status = status;
        this.body = body;
        this.file = file;
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

    static Answer file(String name, Content content) {
        return new Answer(200, new byte[0], Optional.of(new File(name, content)));
    }

    int status() {
        return status;
    }

    byte[] body() {
        return body;
    }

    Optional<File> file() {
        return file;
    }
}
