/**
 * What is kept: uploaded profiles by application, version, instance and time, merged on request.
 * The engine is RocksDB; another one has to pass the same contract test. Knows nothing of HTTP, of
 * who asks, or of how a profile was collected.
 */
@NullMarked
package dev.heatline.store;

import org.jspecify.annotations.NullMarked;
