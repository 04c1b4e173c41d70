/**
 * The {@code heatline} command, one class per verb.
 *
 * <p>A verb reads its options, calls the rooms that do the work, and says what happened: data on
 * standard output, everything else on standard error. Whatever another caller could want as well
 * belongs in another room, and no other room knows this one.
 */
@NullMarked
package dev.heatline.cli;

import org.jspecify.annotations.NullMarked;
