/**
 * The JVMs of this machine and their flight recorders: which there are ({@link
 * dev.heatline.collector.jvm.Jvms}), who they are, switching their recorders on and off from
 * outside ({@link dev.heatline.collector.jvm.FlightRecorder}), and what that costs them ({@link
 * dev.heatline.collector.jvm.ProfilingCost}). Nothing is loaded into a JVM, and looking at one does
 * not attach to it. Knows nothing of what becomes of the recordings.
 */
@NullMarked
package dev.heatline.collector.jvm;

import org.jspecify.annotations.NullMarked;
