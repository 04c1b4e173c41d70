package dev.heatline.collector;

import dev.heatline.formats.FormatException;
import dev.heatline.formats.jfr.LiveRecording.Position;
import dev.heatline.wire.ProcessKey;

/**
 * How far the recording of a JVM was read, as the spool keeps it.
 *
 * @param process whose recording
 */
record Mark(Position position, ProcessKey process) {

    String written() {
        return position.written() + " " + process.pid() + " " + process.started();
    }

    /**
     * Reads what {@link #written} answers.
     *
     * @throws FormatException if it is something else
     */
    static Mark parse(String written) {
        int pid = written.indexOf(' ', written.lastIndexOf(':'));
        int started = written.indexOf(' ', pid + 1);
        try {
            ProcessKey key =
                    new ProcessKey(
                            Long.parseLong(written, pid + 1, started, 10),
                            written.substring(started + 1));
            return new Mark(Position.parse(written.substring(0, pid)), key);
        } catch (IndexOutOfBoundsException | NumberFormatException e) {
            throw new FormatException("'" + written + "' is no position in a JVM's recording");
        }
    }
}
