package dev.heatline.collector.spool;

import dev.heatline.model.Execution;
import java.time.Instant;
import java.util.regex.Pattern;

/**
 * What is known of a profile besides its content.
 *
 * @param id chosen once, when the interval is closed, and unique for ever: letters, digits and
 *     {@code ._-}; a second upload of the same id changes nothing
 * @param execution whose profile it is
 * @param from first moment the profile covers
 * @param until moment after the last
 * @param source what the profile was read from, such as the repository of a JVM's flight recorder
 * @param position where to go on reading the source; only its reader understands it
 */
public record Entry(
        String id,
        Execution execution,
        Instant from,
        Instant until,
        String source,
        String position) {

    private static final Pattern ID = Pattern.compile("[A-Za-z0-9._-]{1,128}");

    public Entry {
        if (!ID.matcher(id).matches()) {
            throw new IllegalArgumentException("no upload id: " + id);
        }
    }

    /** Whose and when, for people. */
    String about() {
        return "the profile of " + execution.application() + " from " + from;
    }
}
