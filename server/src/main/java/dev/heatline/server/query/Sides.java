package dev.heatline.server.query;

import java.util.Optional;

/**
 * What a question is about, and what that is compared with.
 *
 * @param before empty if nothing is said of it
 */
record Sides(Chosen now, Optional<Chosen> before) {}
