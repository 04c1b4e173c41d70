package dev.heatline.collector;

import dev.heatline.formats.jfr.LiveRecording;
import dev.heatline.formats.jfr.LiveRecording.Position;
import java.nio.file.Path;
import java.util.Set;

/** The recording of a JVM, of which other events may be wanted from some moment on. */
final class WantedEvents implements AutoCloseable {
    private final Path repository;
    private Set<String> names;
    private LiveRecording live;

    WantedEvents(Path repository, Set<String> names, Position from) {
        this.repository = repository;
        this.names = names;
        this.live = new LiveRecording(repository, names, from);
    }

    /** As it is to be read now. */
    LiveRecording live() {
        return live;
    }

    /** From where it was read up to, these events are wanted. */
    void want(Set<String> others) {
        if (!others.equals(names)) {
            Position position = live.position();
            live.close();
            live = new LiveRecording(repository, others, position);
            names = others;
        }
    }

    @Override
    public void close() {
        live.close();
    }
}
