/**
 * Runs inside the profiled application, started by {@code -javaagent}: switches the flight recorder
 * on and tells the collector where to look. Writes nothing to the console, keeps no thread, and
 * must never be the reason that an application fails.
 */
@NullMarked
package dev.heatline.agent;

import org.jspecify.annotations.NullMarked;
