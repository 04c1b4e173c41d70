package dev.heatline.collector;

import dev.heatline.formats.FormatException;
import dev.heatline.formats.jfr.LiveRecording.Position;
import dev.heatline.wire.ProcessKey;
import java.util.Optional;

/**
 * How far the recording of a JVM was read, as the spool keeps it.
 *
 * @param process whose recording; unknown in spools of collectors that did not write it down
 */
record Mark(Position position, Optional<ProcessKey> process) {

    String written() {
        return position.written()
                + process.map(key -> " " + key.pid() + " " + key.started()).orElse("");
    }

    /**
     * Reads what {@link #written} answers.
     *
     * @throws FormatException if it is something else
     */
    static Mark parse(String written) {
        int pid = written.indexOf(' ', written.lastIndexOf(':'));
        if (pid < 0) {
            return new Mark(Position.parse(written), Optional.empty());
        }
        int started = written.indexOf(' ', pid + 1);
        try {
            ProcessKey key =
                    new ProcessKey(
                            Long.parseLong(written, pid + 1, started, 10),
                            written.substring(started + 1));
            return new Mark(Position.parse(written.substring(0, pid)), Optional.of(key));
        } catch (IndexOutOfBoundsException | NumberFormatException e) {
            throw new FormatException("'" + written + "' names no process");
        }
    }
}
