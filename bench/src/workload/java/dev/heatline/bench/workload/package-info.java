/**
 * The programs that are measured: real libraries at work, in JVMs of their own. They run on JDK 17
 * too, so nothing here may use a newer one, nor anything of Heatline.
 */
@NullMarked
package dev.heatline.bench.workload;

import org.jspecify.annotations.NullMarked;
