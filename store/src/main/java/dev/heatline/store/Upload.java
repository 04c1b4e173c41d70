package dev.heatline.store;

import dev.heatline.model.Execution;
import dev.heatline.model.Profile;
import java.time.Instant;

/**
 * A profile of one interval of one execution.
 *
 * @param id chosen by whoever sends it; a second upload of the same id changes nothing
 * @param from first moment the profile covers
 * @param until moment after the last
 */
public record Upload(
        String id, Execution execution, Instant from, Instant until, Profile profile) {}
