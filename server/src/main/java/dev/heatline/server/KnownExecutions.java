package dev.heatline.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.heatline.model.Execution;
import dev.heatline.store.Store;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Which executions there are profiles of, and that there are not too many: whoever invents a new
 * application with every upload is stopped before the store is full of them.
 */
final class KnownExecutions {

    /** What was not heard of for longer does not count: processes come and go, as in tests. */
    private static final Duration RECENT = Duration.ofDays(7);

    private final int maxApplications;
    private final int maxExecutions;
    private final InstantSource clock;
    private Set<String> applications = new HashSet<>();

    /** When each was last heard of. */
    private Map<Key, Instant> executions = new HashMap<>();

    /** Stands for an execution, however long its names are: one half of a SHA-256. */
    private record Key(long high, long low) {

        static Key of(Execution execution) {
            try {
                MessageDigest digest = MessageDigest.getInstance("SHA-256");
                add(digest, execution.application());
                add(digest, execution.version());
                add(digest, execution.instance());
                execution
                        .labels()
                        .forEach(
                                (name, value) -> {
                                    add(digest, name);
                                    add(digest, value);
                                });
                ByteBuffer bytes = ByteBuffer.wrap(digest.digest());
                return new Key(bytes.getLong(), bytes.getLong());
            } catch (NoSuchAlgorithmException e) {
                throw new AssertionError("every JDK has SHA-256", e);
            }
        }

        /** Names have no control characters, so this one ends them. */
        private static void add(MessageDigest digest, String name) {
            digest.update(name.getBytes(UTF_8));
            digest.update((byte) 0);
        }
    }

    KnownExecutions(Limits limits, InstantSource clock) {
        this.maxApplications = limits.applications();
        this.maxExecutions = limits.executions();
        this.clock = clock;
    }

    /** Forgets what the store has no profiles of any more, and does not count what is old. */
    void refresh(Store store) {
        Instant oldest = clock.instant().minus(RECENT);
        Map<Key, Instant> stored = new HashMap<>();
        Set<String> names = new HashSet<>();
        for (Store.Seen seen : store.executions()) {
            stored.put(Key.of(seen.execution()), seen.last());
            names.add(seen.execution().application());
        }
        synchronized (this) {
            // What came lately counts, of whatever time it is.
            executions.forEach(
                    (key, heard) ->
                            stored.computeIfPresent(
                                    key, (_, last) -> heard.isAfter(last) ? heard : last));
            stored.values().removeIf(last -> last.isBefore(oldest));
            executions = stored;
            applications = names;
        }
    }

    /**
     * Makes room for an execution.
     *
     * @throws Refusal if there is none
     */
    synchronized void admit(Execution execution) {
        Key key = Key.of(execution);
        if (executions.replace(key, clock.instant()) != null) {
            return;
        }
        boolean isNew = !applications.contains(execution.application());
        if (isNew && applications.size() >= maxApplications) {
            throw full(maxApplications + " applications", "--max-applications");
        }
        if (executions.size() >= maxExecutions) {
            throw full(
                    maxExecutions + " executions of the last " + RECENT.toDays() + " days",
                    "--max-executions");
        }
        applications.add(execution.application());
        executions.put(key, clock.instant());
    }

    private static Refusal full(String what, String option) {
        return new Refusal(
                429, "the server already knows " + what + ", its limit (" + option + ")", 60);
    }

    synchronized int applications() {
        return applications.size();
    }

    /** How many count, which are those that were heard of lately. */
    synchronized int executions() {
        return executions.size();
    }
}
