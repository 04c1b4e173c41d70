/**
 * What {@code heatline doctor} looks at: the JDKs, the kernel, the machine and the tools.
 * Everything is looked at for real and nothing is changed; the command that would change it is part
 * of the answer.
 */
@NullMarked
package dev.heatline.cli.doctor;

import org.jspecify.annotations.NullMarked;
