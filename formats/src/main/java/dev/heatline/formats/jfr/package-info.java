/**
 * Reads Flight Recorder files, of the JDK (17 to 25) and of async-profiler, straight from their
 * bytes.
 *
 * <p>The way of the data: {@link dev.heatline.formats.jfr.JfrFormat} hands a file to {@code
 * Recording}, which finds its {@code Chunks} and lets {@code Workers} read them, each with a {@code
 * ChunkReader}. That one finds the {@code Schema} of a chunk: its {@code Metadata}, and for every
 * event type that some {@code EventKind} wants an {@code EventReader}, which follows a {@code Plan}
 * compiled from the metadata and adds up what the events say by (stack trace id, thread id) in a
 * {@code Tally}. Only then the ids are looked up in the {@code ConstantPools}: {@code StackTraces}
 * become nodes, {@code Names} become consumers.
 */
@NullMarked
package dev.heatline.formats.jfr;

import org.jspecify.annotations.NullMarked;
