/**
 * What injected code calls. These classes belong to the boot loader, so that all others see them,
 * and use nothing but {@code java.base}.
 */
@NullMarked
package dev.heatline.agent.boot;

import org.jspecify.annotations.NullMarked;
