package dev.heatline.formats;

import java.util.Optional;

/**
 * What to put into a file.
 *
 * @param resource the one resource to write where a format holds a single one; if not given, the
 *     format takes the Profile's main resource
 * @param plain whether to leave out what other tools do not write by default, such as lines and
 *     descriptors in collapsed stacks
 */
public record WriteOptions(Optional<String> resource, boolean plain) {

    public static final WriteOptions DEFAULT = new WriteOptions(Optional.empty());

    /** Everything the format can hold. */
    public WriteOptions(Optional<String> resource) {
        this(resource, false);
    }
}
