/**
 * Finds the JVMs of this machine, follows what their flight recorders write, builds a profile of
 * every interval and hands it to the server, keeping it on disk until the server has it. Knows
 * nothing of how the server keeps profiles.
 */
@NullMarked
package dev.heatline.collector;

import org.jspecify.annotations.NullMarked;
