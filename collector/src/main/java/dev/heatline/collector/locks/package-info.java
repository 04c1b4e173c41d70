/**
 * Lock contention with its cause (seed 001 ch. 4): switches the lock tracer of a JVM on and off,
 * reads what it writes, and finds out who kept whom waiting.
 *
 * <p>The way of the data: {@link dev.heatline.collector.locks.TraceReader} takes events out of the
 * mapped file, {@link dev.heatline.collector.locks.EventOrder} brings those of a lock into their
 * order, {@link dev.heatline.collector.locks.MonitorReplay} and {@link
 * dev.heatline.collector.locks.ParkReplay} replay them, and every contention they find goes into a
 * Profile.
 */
@NullMarked
package dev.heatline.collector.locks;

import org.jspecify.annotations.NullMarked;
