package dev.heatline.collector;

import dev.heatline.collector.spool.Entry;
import dev.heatline.collector.spool.Spool;
import dev.heatline.collector.spool.SpoolException;
import dev.heatline.formats.FormatException;
import dev.heatline.formats.jfr.LiveRecording;
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
    private final Memory memory;
    private final Set<String> events;
    private final Consumer<String> say;

    Orphans(Spool spool, Memory memory, Set<String> events, Consumer<String> say) {
        this.spool = spool;
        this.memory = memory;
        this.events = events;
        this.say = say;
    }

    /** Reads the rest of each, and forgets it if that is kept. */
    void read() {
        for (String source : spool.sources()) {
            try {
                if (spool.last(source).map(this::isDone).orElse(false)) {
                    spool.forget(source);
                }
            } catch (FormatException | SpoolException e) {
                say.accept(String.valueOf(e.getMessage()));
            }
        }
    }

    private boolean isDone(Entry last) {
        Mark mark = Mark.parse(last.position());
        boolean running =
                mark.process().map(ProcessKey::isAlive).orElseGet(() -> isPidInUse(last.source()));
        return !running && (!Files.isDirectory(Path.of(last.source())) || isRestKept(last, mark));
    }

    private static boolean isPidInUse(String source) {
        Matcher repository = REPOSITORY.matcher(source);
        return repository.matches()
                && ProcessKey.of(Long.parseLong(repository.group(1))).isPresent();
    }

    private boolean isRestKept(Entry last, Mark mark) {
        Path folder = Path.of(last.source());
        try (LiveRecording live = new LiveRecording(folder, events, mark.position(), 0);
                IntervalWriter writer =
                        new IntervalWriter(
                                spool,
                                memory,
                                last.source(),
                                mark.process(),
                                last.execution(),
                                say)) {
            boolean all = false;
            boolean kept = true;
            while (kept && !all) {
                all = writer.read(live);
                kept = writer.keep(live.position(), CostMeter.Cost.UNKNOWN, "");
            }
            return kept;
        }
    }
}
