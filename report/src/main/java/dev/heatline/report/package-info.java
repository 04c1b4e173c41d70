/**
 * Views of a profile as text, JSON and HTML: flat profile, call graph, calling context tree, flame
 * graph, threads, tasks, subsuming methods, surviving objects and differences.
 *
 * <p>The way of the data: {@link dev.heatline.report.View} names a view and makes its {@link
 * dev.heatline.report.Report} from a Profile and {@link dev.heatline.report.ReportOptions}; {@code
 * Measurement} is the one resource it speaks of; the report computes its rows, all in stored units;
 * {@code Head} says above them what was measured and how far to trust it. Only when they are
 * written do values get a unit: {@code Scale} for people, exact decimals for JSON. Tables of text
 * and HTML are made from the same {@code Field}s. What compares two Profiles stands beside the
 * views: {@link dev.heatline.report.DiffReport}, {@link dev.heatline.report.OverlapReport}.
 *
 * <p>A view only renders what the model computed. It does not know file formats, collectors, stores
 * or the command line. The flame graph component is inlined from the class path resources {@code
 * dev/heatline/web/flamegraph.html} and {@code .js}, so that a report is one file that opens
 * anywhere.
 */
@NullMarked
package dev.heatline.report;

import org.jspecify.annotations.NullMarked;
