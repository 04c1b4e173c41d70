package dev.heatline.store;

import dev.heatline.model.Column;
import dev.heatline.model.Profile;
import java.util.List;

/**
 * A profile on its way into the store: an upload, or several in one.
 *
 * @param firstUpload the smallest number of the uploads in it; {@code lastUpload} the largest
 * @param uploads how many there are
 * @param samples how many observations their main resources have
 */
record Stored(
        Level level,
        long fromNanos,
        long untilNanos,
        long firstUpload,
        long lastUpload,
        long uploads,
        long samples,
        Profile profile) {

    static Stored of(Upload upload, long number) {
        long from = Keys.nanos(upload.from());
        return new Stored(
                Level.MINUTE,
                from,
                Math.max(from, Keys.nanos(upload.until())),
                number,
                number,
                1,
                upload.profile().samples(),
                upload.profile());
    }

    Head head(long dictionary, int shape, int bodyBytes) {
        return new Head(
                untilNanos,
                dictionary,
                shape,
                firstUpload,
                lastUpload,
                uploads,
                samples,
                profile.nodeCount(),
                bodyBytes,
                profile.provenance().fromNanos(),
                profile.provenance().untilNanos(),
                profile.columns().stream().map(Column::total).toList(),
                List.copyOf(profile.provenance().counts().values()),
                StoredMoments.of(profile));
    }
}
