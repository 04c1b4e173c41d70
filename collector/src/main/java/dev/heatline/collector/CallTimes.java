package dev.heatline.collector;

import dev.heatline.wire.ProcessKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * When calls were measured exactly in which JVM. Samples of that time have in them what measuring
 * takes, and their profiles have to say so.
 */
final class CallTimes {
    /** What was sampled longer ago has been kept by then. */
    private static final Duration LONG_AGO = Duration.ofHours(1);

    private final Map<ProcessKey, List<Stretch>> stretches = new HashMap<>();

    private record Stretch(Instant from, Instant until) {
        Duration within(Instant begin, Instant end) {
            Instant first = from.isAfter(begin) ? from : begin;
            Instant last = until.isBefore(end) ? until : end;
            return first.isBefore(last) ? Duration.between(first, last) : Duration.ZERO;
        }
    }

    /** Calls are measured from now on. */
    synchronized void begin(ProcessKey process, Instant now) {
        stretches.values().forEach(all -> all.removeIf(it -> it.until().isBefore(longAgo(now))));
        stretches.values().removeIf(List::isEmpty);
        stretches
                .computeIfAbsent(process, _ -> new ArrayList<>())
                .add(new Stretch(now, Instant.MAX));
    }

    private static Instant longAgo(Instant now) {
        return now.minus(LONG_AGO);
    }

    /** They are not any more. */
    synchronized void end(ProcessKey process, Instant now) {
        stretches
                .getOrDefault(process, new ArrayList<>())
                .replaceAll(
                        it -> it.until().equals(Instant.MAX) ? new Stretch(it.from(), now) : it);
    }

    /** For how many seconds of some time they were, rounded up. */
    synchronized long seconds(ProcessKey process, Instant from, Instant until) {
        Duration all =
                stretches.getOrDefault(process, List.of()).stream()
                        .map(it -> it.within(from, until))
                        .reduce(Duration.ZERO, Duration::plus);
        return Math.ceilDiv(all.toMillis(), 1_000L);
    }
}
