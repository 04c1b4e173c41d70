package dev.heatline.formats;

import java.util.Optional;

/**
 * What to put into a file.
 *
 * @param resource the one resource to write where a format holds a single one; if not given, the
 *     format takes the Profile's main resource
 */
public record WriteOptions(Optional<String> resource) {

    public static final WriteOptions DEFAULT = new WriteOptions(Optional.empty());
}
