/**
 * Calls that people want to have measured exactly, while that goes on: who asks puts an order here,
 * the collector that follows the JVM fetches it and reports, and what it reports last is shown.
 * When a measurement has ended, its profile comes in like every other.
 */
@NullMarked
package dev.heatline.server.measure;

import org.jspecify.annotations.NullMarked;
