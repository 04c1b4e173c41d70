package dev.heatline.bench;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Which profile is uploaded next, as what: the first ones fill one application of ten instances,
 * minute by minute; what follows is spread over ten applications, that one among them. Content is
 * repeated, names and times are not.
 */
final class UploadPlan {
    static final String FILLED = "shop";

    private static final int INSTANCES = 10;
    private static final int APPLICATIONS = 10;

    /** So that even the last minutes of a long run are not in the future. */
    private static final Duration BEFORE = Duration.ofHours(36);

    private final List<byte[]> filling;
    private final int fill;
    private final List<byte[]> bodies;
    private final Instant begin;
    private final AtomicInteger next = new AtomicInteger();

    /** One upload: the query that says what it is, its id and its body. */
    static final class Step {
        private final String query;
        private final String id;
        private final byte[] body;

        private Step(String query, String id, byte[] body) {
            this.query = query;
            this.id = id;
            this.body = body;
        }

        String query() {
            return query;
        }

        String id() {
            return id;
        }

        byte[] body() {
            return body;
        }
    }

    /**
     * @param filling what the one application gets first
     * @param bodies what follows
     */
    UploadPlan(List<byte[]> filling, List<byte[]> bodies) {
        this.filling = filling;
        this.fill = filling.size();
        this.bodies = bodies;
        this.begin = Instant.now().minus(BEFORE);
    }

    /** How many uploads fill the store. */
    int fill() {
        return fill;
    }

    Step next() {
        int number = next.getAndIncrement();
        String application = FILLED;
        int minute = number / INSTANCES;
        if (number >= fill) {
            int later = number - fill;
            int which = later / INSTANCES % APPLICATIONS;
            application = which == 0 ? FILLED : FILLED + which;
            minute = fill / INSTANCES + later / INSTANCES / APPLICATIONS;
        }
        long from = begin.plus(Duration.ofMinutes(minute)).toEpochMilli();
        return new Step(
                "app=%s&version=1.0&instance=i%d&from=%d&until=%d"
                        .formatted(application, number % INSTANCES, from, from + 60_000),
                "bench-" + number,
                number < fill ? filling.get(number) : bodies.get(number % bodies.size()));
    }
}
