package dev.heatline.bench;

import dev.heatline.formats.ReadOptions;
import dev.heatline.formats.Source;
import dev.heatline.formats.jfr.JfrFormat;
import dev.heatline.model.Profile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingFile;
import one.convert.Arguments;
import one.convert.JfrToPprof;

/**
 * How fast recordings become trees: Heatline's reader, async-profiler's jfr-converter (to pprof)
 * and the JDK's RecordingFile, on an ordinary recording and on one of deep, nearly unique stacks.
 *
 * <p>{@code java -Xmx1g -jar bench/target/heatline-bench.jar parsing [FOLDER]}
 */
final class JfrParsing {
    private static final String HEATLINE = "heatline: all events to a tree";

    private JfrParsing() {}

    static void run(String[] args) throws IOException {
        Path folder = Path.of(args.length > 0 ? args[0] : "bench/target/recordings");
        compare(Recordings.ordinary(folder, 420), "--alloc", 8);
        compare(Recordings.adversarial(folder, 214_000), "--alloc", 5);
    }

    private static void compare(Path file, String event, int rounds) throws IOException {
        Path pprof = Files.createTempFile("converted", ".pprof");
        SideBySide parsing =
                new SideBySide(HEATLINE, () -> heatline(file))
                        .with(
                                "jfr-converter " + event + " to pprof",
                                () -> converter(file, pprof, event))
                        .with("RecordingFile, stacks touched", () -> recordingFile(file))
                        .run(rounds);
        Files.delete(pprof);
        double megabytes = Files.size(file) / 1e6;
        Profile profile = heatline(file);
        parsing.print(
                String.format(
                        Locale.ROOT,
                        "%s: %.0f MB, %d nodes, %s",
                        file.getFileName(),
                        megabytes,
                        profile.nodeCount(),
                        profile.columns()));
        System.out.printf(
                Locale.ROOT,
                "heatline: %.0f MB per CPU second%n",
                megabytes / parsing.referenceCpuSeconds());
    }

    private static Profile heatline(Path file) {
        try (Source source = Source.open(file)) {
            return new JfrFormat().read(source, ReadOptions.DEFAULT);
        }
    }

    private static long converter(Path file, Path pprof, String event) {
        try {
            JfrToPprof.convert(
                    file.toString(), pprof.toString(), new Arguments(event, "--output", "pprof"));
            return Files.size(pprof);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long recordingFile(Path file) {
        long hash = 0;
        try (RecordingFile recording = new RecordingFile(file)) {
            while (recording.hasMoreEvents()) {
                RecordedEvent event = recording.readEvent();
                if (event.getStackTrace() != null) {
                    for (RecordedFrame frame : event.getStackTrace().getFrames()) {
                        hash = hash * 31 + frame.getMethod().getName().hashCode();
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return hash;
    }
}
