/**
 * Views of a profile as text, JSON and HTML: flat profile, call graph, calling context tree, flame
 * graph, locks and differences.
 *
 * <p>A view only renders what the model computed. It does not know file formats, collectors, stores
 * or the command line. The flame graph script is inlined from the class path resource {@code
 * dev/heatline/web/flamegraph.js}, so that a report is one file that opens anywhere.
 */
@NullMarked
package dev.heatline.report;

import org.jspecify.annotations.NullMarked;
