package dev.heatline.formats;

import dev.heatline.model.Profile;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/**
 * Event traces as text, for data from anywhere. One event per line, in the order of time:
 *
 * <pre>
 * #resource cpu s         what the readings measure, and their unit
 * #consumer method        what starts and ends
 * #occurrences calls      what a start counts as
 * 0 &#64; main                all that follows happens on this thread
 * 0 &gt; Main                start
 * 1.5 &lt; Main              end
 * 2                       a reading alone: nothing starts or ends
 * </pre>
 *
 * <p>Readings are decimals of one resource that never decreases. The three bindings come before the
 * first event and may be left out; they default to what is shown. Units {@code s ms us ns} are
 * times and kept as nanoseconds, any other unit with as many decimals as the file uses, up to nine.
 * Blank lines and other lines that start with {@code #} mean nothing.
 */
public final class TraceFormat implements Format {

    @Override
    public String name() {
        return "trace";
    }

    @Override
    public List<String> extensions() {
        return List.of(".trace");
    }

    /** Whether the first line that means something is a binding or an event. */
    @Override
    public boolean recognises(byte[] start) {
        TextLines lines = new TextLines(Source.of("", start), ReadOptions.DEFAULT);
        String line;
        while ((line = lines.next()) != null) {
            if (TraceLine.isBinding(line)) {
                return true;
            }
            if (!TraceLine.isNothing(line)) {
                return TraceLine.isEvent(line);
            }
        }
        return false;
    }

    @Override
    public Profile read(Source source, ReadOptions options) {
        return new TraceReader(source, options).read();
    }

    @Override
    public void write(Profile profile, OutputStream out, WriteOptions options) throws IOException {
        TraceWriter.write(profile, out, options);
    }
}
