/**
 * Runs inside the profiled application. Started by {@code -javaagent} it switches the flight
 * recorder on and tells the collector where to look; loaded by a tool that attaches it traces locks
 * for a while. Writes nothing to the console, keeps no thread once it is done, and must never be
 * the reason that an application fails.
 */
@NullMarked
package dev.heatline.agent;

import org.jspecify.annotations.NullMarked;
