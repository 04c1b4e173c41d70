/**
 * Cost and accuracy of Heatline, measured beside its peers, and JMH benchmarks of the hot paths.
 *
 * <p>This is the only room that may know other profilers and the programs they are tried on. It is
 * never shipped, and nothing depends on it.
 */
@NullMarked
package dev.heatline.bench;

import org.jspecify.annotations.NullMarked;
