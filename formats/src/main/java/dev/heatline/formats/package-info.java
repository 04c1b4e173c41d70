/**
 * Foreign profile formats and the native {@code .heat} file, one class per format, reading and
 * writing side by side.
 *
 * <p>A format turns bytes into a profile or a profile into bytes. It does not know who collected
 * the data, where it is stored, or how it will be shown, and it never trusts its input: damaged
 * bytes are refused with a message that says where, and memory is only taken for what the input can
 * justify.
 */
@NullMarked
package dev.heatline.formats;

import org.jspecify.annotations.NullMarked;
