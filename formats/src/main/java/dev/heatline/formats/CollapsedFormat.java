package dev.heatline.formats;

import dev.heatline.model.Column;
import dev.heatline.model.ColumnBuilder;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Provenance;
import dev.heatline.model.Resource;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Collapsed stacks, the input of flame graph tools: one line per stack, {@code outer;inner count},
 * with async-profiler's marks of threads, lines and frame kinds. One resource per file, and the
 * file does not say which: what is read is called {@code samples}. Values are in stored units (a
 * time in nanoseconds).
 */
public final class CollapsedFormat implements Format {

    @Override
    public String name() {
        return "collapsed";
    }

    @Override
    public List<String> extensions() {
        return List.of(".collapsed", ".folded");
    }

    /**
     * Whether every complete line ends in a blank and a number. If even the first stack is longer
     * than what is seen, whether it could be one.
     */
    @Override
    public boolean recognises(byte[] start) {
        TextLines lines = new TextLines(Source.of("", start), ReadOptions.DEFAULT);
        boolean whole = start.length < PEEK_BYTES;
        String line = lines.next();
        String next;
        int stacks = 0;
        while (line != null) {
            next = lines.next();
            if (next == null && !whole) {
                break;
            }
            if (!line.isBlank() && (line.indexOf('\0') >= 0 || countAt(line) < 0)) {
                return false;
            }
            stacks += line.isBlank() ? 0 : 1;
            line = next;
        }
        return stacks > 0 || (line != null && lines.number() == 1 && isStartOfStack(line));
    }

    private static boolean isStartOfStack(String line) {
        return line.indexOf(';') > 0
                && "{[<".indexOf(line.charAt(0)) < 0
                && line.chars().noneMatch(c -> Character.isISOControl(c) || c == 0xFFFD);
    }

    @Override
    public Profile read(Source source, ReadOptions options) {
        TextLines lines = new TextLines(source, options);
        Stacks stacks = new Stacks();
        String line;
        while ((line = lines.next()) != null) {
            if (!line.isBlank()) {
                stacks.add(line, lines);
            }
        }
        return stacks.builder.build(Provenance.NONE);
    }

    @Override
    public void write(Profile profile, OutputStream out, WriteOptions options) throws IOException {
        Column column = ResourceChoice.counted(profile, options);
        if (column == null) {
            return;
        }
        if (options.plain()) {
            Profile plain = PlainStacks.of(profile, column);
            writeStacks(plain, plain.columns().getFirst(), true, out);
        } else {
            writeStacks(profile, column, false, out);
        }
    }

    private static void writeStacks(Profile profile, Column column, boolean plain, OutputStream out)
            throws IOException {
        byte[][] threads = threadFrames(profile);
        StackText stack = new StackText(profile, plain);
        for (int row = 0; row < column.rows(); row++) {
            int length = stack.moveTo(column.node(row));
            int thread = column.thread(row);
            if (thread != Column.NO_THREAD) {
                out.write(threads[thread]);
                if (length > 0) {
                    out.write(';');
                }
            }
            out.write(stack.bytes(), 0, length);
            out.write((" " + column.value(row) + "\n").getBytes(StandardCharsets.US_ASCII));
        }
    }

    private static byte[][] threadFrames(Profile profile) {
        byte[][] frames = new byte[profile.consumerCount()][];
        int number = 0;
        for (int thread : profile.threads()) {
            frames[thread] =
                    CollapsedFrame.writeThread(profile.consumerAt(thread), ++number)
                            .getBytes(StandardCharsets.UTF_8);
        }
        return frames;
    }

    /** Where the count at the end of a line starts, or -1 if there is none. */
    private static int countAt(String line) {
        int space = line.lastIndexOf(' ');
        if (space < 0 || space == line.length() - 1) {
            return -1;
        }
        for (int i = space + 1; i < line.length(); i++) {
            if (line.charAt(i) < '0' || line.charAt(i) > '9') {
                return -1;
            }
        }
        return space + 1;
    }

    /** The tree that grows with every line; equal frames are parsed once. */
    private static final class Stacks {
        private final ProfileBuilder builder = new ProfileBuilder();
        private final ColumnBuilder samples = builder.column(Resource.SAMPLES);
        private final Map<String, Frame> frames = new HashMap<>();
        private final Map<String, Integer> threads = new HashMap<>();

        /** A frame already entered: the builder's consumer id beside the site. */
        private record Frame(int consumer, int site) {}

        void add(String line, TextLines lines) {
            int countAt = countAt(line);
            if (countAt < 0) {
                throw lines.wrong("no count at the end; expected \"frame;frame;frame count\"");
            }
            long count = count(line, countAt, lines);
            int end = countAt - 1;
            int thread = Column.NO_THREAD;
            int node = Profile.ROOT;
            int from = 0;
            while (from < end) {
                int semicolon = line.indexOf(';', from);
                int to = semicolon < 0 || semicolon > end ? end : semicolon;
                String text = line.substring(from, to);
                Integer known = from == 0 ? threadOf(text) : null;
                if (known != null) {
                    thread = known;
                } else {
                    Frame frame = frames.computeIfAbsent(text, this::frame);
                    node = builder.child(node, frame.consumer, frame.site);
                }
                from = to + 1;
            }
            samples.add(node, thread, count);
        }

        private @Nullable Integer threadOf(String text) {
            if (!CollapsedFrame.isThread(text)) {
                return null;
            }
            return threads.computeIfAbsent(
                    text, added -> builder.consumer(CollapsedFrame.readThread(added)));
        }

        private Frame frame(String text) {
            CollapsedFrame frame = CollapsedFrame.read(text);
            return new Frame(builder.consumer(frame.consumer()), frame.site());
        }

        private static long count(String line, int countAt, TextLines lines) {
            try {
                return Long.parseLong(line, countAt, line.length(), 10);
            } catch (NumberFormatException e) {
                throw lines.wrong("count " + line.substring(countAt) + " is over 2^63-1");
            }
        }
    }
}
