/** What the agent measured exactly of calls below chosen roots, read and made a Profile. */
@NullMarked
package dev.heatline.collector.calls;

import org.jspecify.annotations.NullMarked;
