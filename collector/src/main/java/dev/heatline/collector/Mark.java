package dev.heatline.collector;

import dev.heatline.formats.FormatException;
import dev.heatline.formats.jfr.LiveRecording.Position;
import dev.heatline.wire.ProcessKey;

/**
 * How far the recording of a JVM was read, as the spool keeps it.
 *
 * @param process whose recording
 * @param ended whether that is the end of it: the JVM has ended, and all that it left was read
 */
record Mark(Position position, ProcessKey process, boolean ended) {
    private static final String ENDED = " ended";

    Mark(Position position, ProcessKey process) {
        this(position, process, false);
    }

    String written() {
        return position.written()
                + " "
                + process.pid()
                + " "
                + process.started()
                + (ended ? ENDED : "");
    }

    /**
     * Reads what {@link #written} answers.
     *
     * @throws FormatException if it is something else
     */
    static Mark parse(String written) {
        boolean ended = written.endsWith(ENDED);
        int end = written.length() - (ended ? ENDED.length() : 0);
        int pid = written.indexOf(' ', written.lastIndexOf(':'));
        int started = written.indexOf(' ', pid + 1);
        try {
            ProcessKey key =
                    new ProcessKey(
                            Long.parseLong(written, pid + 1, started, 10),
                            written.substring(started + 1, end));
            return new Mark(Position.parse(written.substring(0, pid)), key, ended);
        } catch (IndexOutOfBoundsException | NumberFormatException e) {
            throw new FormatException("'" + written + "' is no position in a JVM's recording");
        }
    }
}
