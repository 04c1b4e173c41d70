package dev.heatline.collector;

import dev.heatline.collector.spool.Entry;
import dev.heatline.collector.spool.Once;
import dev.heatline.collector.spool.Spool;
import dev.heatline.collector.spool.SpoolException;
import dev.heatline.formats.FormatException;
import dev.heatline.formats.jfr.LiveRecording;
import dev.heatline.formats.jfr.LiveRecording.Position;
import dev.heatline.wire.ProcessKey;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The recordings of JVMs that ended while nobody followed them: no collector was there, or it had
 * not begun. A JVM that was killed leaves its repository behind, and what it wrote after the last
 * profile is still to be read.
 */
final class Orphans {

    /** How long one that could not be read or kept is left alone. */
    private static final long WAIT_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final Spool spool;
    private final Memory memory;
    private final CallTimes callTimes;
    private final Set<String> events;
    private final Consumer<String> say;

    /** Those that could not be read or kept. */
    private final Map<String, Failure> failures = new HashMap<>();

    private record Failure(Once said, long nanoTime) {

        boolean isRecent() {
            return System.nanoTime() - nanoTime < WAIT_NANOS;
        }
    }

    Orphans(
            Spool spool,
            Memory memory,
            CallTimes callTimes,
            Set<String> events,
            Consumer<String> say) {
        this.spool = spool;
        this.memory = memory;
        this.callTimes = callTimes;
        this.events = events;
        this.say = say;
    }

    /**
     * Reads the rest of each, and deletes and forgets it if that is kept. Called at every look at
     * the JVMs.
     *
     * @param followed those whose rest is read by others
     */
    void read(Set<ProcessKey> followed) {
        for (String source : spool.sources()) {
            Failure failure = failures.get(source);
            if (failure != null && failure.isRecent()) {
                continue;
            }
            Once obstacles = failure == null ? new Once(say) : failure.said();
            if (isDone(source, followed, obstacles)) {
                failures.remove(source);
            } else {
                failures.put(source, new Failure(obstacles, System.nanoTime()));
            }
        }
    }

    private boolean isDone(String source, Set<ProcessKey> followed, Once obstacles) {
        try {
            Optional<Entry> last = spool.last(source);
            if (last.isEmpty()) {
                return true;
            }
            Mark mark = Mark.parse(last.get().position());
            if (followed.contains(mark.process()) || mark.process().isAlive()) {
                return true;
            }
            if (!mark.ended() && !isRestKept(last.get(), mark, obstacles)) {
                return false;
            }
            Remains.deleteOrSay(Path.of(source), obstacles::say);
            spool.forget(source);
            return true;
        } catch (FormatException | SpoolException e) {
            obstacles.say(String.valueOf(e.getMessage()));
            return false;
        } catch (RuntimeException e) {
            // What one JVM wrote must not end the profiling of all others.
            obstacles.say(source + " cannot be read: " + e);
            return false;
        }
    }

    private boolean isRestKept(Entry last, Mark mark, Once obstacles) {
        Path folder = Path.of(last.source());
        try (LiveRecording live = new LiveRecording(folder, events, mark.position());
                IntervalWriter writer =
                        new IntervalWriter(
                                spool,
                                memory,
                                last.source(),
                                mark.process(),
                                last.execution(),
                                callTimes,
                                obstacles::say)) {
            boolean all = false;
            boolean kept = true;
            while (kept && !all) {
                all = writer.read(live);
                if (all) {
                    if (isLost(folder, live.position()) && writer.lose(last.until())) {
                        obstacles.say(lost(last, mark));
                    }
                    writer.end();
                }
                kept = writer.keep(live.position(), CostMeter.Cost.UNKNOWN, "");
            }
            return kept;
        }
    }

    /**
     * A JVM that ends by itself deletes what it recorded, whether it was read or not. What lies in
     * a container of its own is out of sight with it, and nothing is known.
     */
    static boolean isLost(Path repository, Position position) {
        return !position.isWhole()
                && !Files.isDirectory(repository)
                && !repository.startsWith("/proc");
    }

    private static String lost(Entry last, Mark mark) {
        return "JVM "
                + mark.process().pid()
                + " ("
                + last.execution().application()
                + ") ended and deleted its recording before that was read: what it recorded after "
                + last.until()
                + " is lost";
    }
}
