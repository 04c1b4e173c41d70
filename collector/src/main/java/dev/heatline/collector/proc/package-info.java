/**
 * What Linux tells in {@code /proc} and in its control groups about who used CPUs, as it tells it:
 * no differences, no judgement. Knows nothing of JVMs.
 */
@NullMarked
package dev.heatline.collector.proc;

import org.jspecify.annotations.NullMarked;
