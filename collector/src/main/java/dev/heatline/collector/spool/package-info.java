/**
 * What the collector has closed and the server does not have yet: a bounded queue of profiles on
 * disk ({@link dev.heatline.collector.spool.Spool}) and what empties it ({@link
 * dev.heatline.collector.spool.Uploader}). Knows nothing of where profiles come from: a source is a
 * name, and a position in it is a text that only its reader understands.
 */
@NullMarked
package dev.heatline.collector.spool;

import org.jspecify.annotations.NullMarked;
