/**
 * What agent and collector, or collector and server, must agree on, and nothing else. Runs in
 * applications, so it uses nothing but the JDK 17.
 */
@NullMarked
package dev.heatline.wire;

import org.jspecify.annotations.NullMarked;
