package dev.heatline.collector;

import dev.heatline.collector.spool.Entry;
import dev.heatline.collector.spool.Spool;
import dev.heatline.formats.FormatException;
import dev.heatline.formats.jfr.LiveRecording;
import dev.heatline.formats.jfr.LiveRecording.Position;
import dev.heatline.wire.ProcessKey;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The recordings of JVMs that ended while no collector was there. A JVM that was killed leaves its
 * repository behind, and what it wrote after the last profile is still to be read.
 */
final class Orphans {

    /** The JDK names a repository by its time and pid. */
    private static final Pattern REPOSITORY = Pattern.compile(".*_(\\d{1,10})");

    private final Spool spool;
    private final Set<String> events;
    private final Consumer<String> say;

    Orphans(Spool spool, Set<String> events, Consumer<String> say) {
        this.spool = spool;
        this.events = events;
        this.say = say;
    }

    /** Reads the rest of each, and forgets it. */
    void read() {
        for (String source : spool.sources()) {
            Matcher repository = REPOSITORY.matcher(source);
            boolean running =
                    repository.matches()
                            && ProcessKey.of(Long.parseLong(repository.group(1))).isPresent();
            if (!running) {
                try {
                    spool.last(source).ifPresent(this::readRest);
                } catch (FormatException e) {
                    say.accept(String.valueOf(e.getMessage()));
                }
                spool.forget(source);
            }
        }
    }

    private void readRest(Entry last) {
        Path folder = Path.of(last.source());
        if (!Files.isDirectory(folder)) {
            return;
        }
        Position from = Position.parse(last.position());
        IntervalWriter writer = new IntervalWriter(spool, last.source(), last.execution(), say);
        try (LiveRecording live = new LiveRecording(folder, events, from, 0)) {
            live.read(writer.interval());
            writer.close(live.position(), CostMeter.Cost.UNKNOWN, "", false);
        }
    }
}
