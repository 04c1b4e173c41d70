/**
 * Which thread of a JVM used how much CPU time, and how much of that the hypervisor stole (001
 * §5.2): looks at {@code /proc} every second ({@link dev.heatline.collector.threads.ThreadReader})
 * and divides what all CPUs of the machine lost ({@link
 * dev.heatline.collector.threads.StealAccounting}). Nothing is loaded into the JVM.
 */
@NullMarked
package dev.heatline.collector.threads;

import org.jspecify.annotations.NullMarked;
