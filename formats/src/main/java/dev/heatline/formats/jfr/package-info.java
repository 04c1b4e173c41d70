/**
 * Reads Flight Recorder files, of the JDK (17 to 25) and of async-profiler, straight from their
 * bytes.
 *
 * <p>The way of the data: {@link dev.heatline.formats.jfr.JfrFormat} finds the {@code Chunk}s of a
 * file and hands them to {@code Recording}, which reads them in parallel, each with a {@code
 * ChunkReader}. That one reads the chunk's {@code Metadata}, compiles a {@code Plan} for every
 * event type some {@code EventKind} wants, adds up what the events say by (stack trace id, thread
 * id) in a {@code Tally}, and only then looks up in the {@code ConstantPools} what those ids stand
 * for: {@code StackTraces} become nodes, {@code Names} become consumers.
 */
@NullMarked
package dev.heatline.formats.jfr;

import org.jspecify.annotations.NullMarked;
