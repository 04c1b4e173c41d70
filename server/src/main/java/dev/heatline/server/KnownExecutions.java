package dev.heatline.server;

import dev.heatline.model.Execution;
import dev.heatline.store.Store;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which executions there are profiles of, and that there are not too many: whoever invents a new
 * application with every upload is stopped before the store is full of them.
 */
final class KnownExecutions {
    private final int maxApplications;
    private final int maxExecutions;
    private Set<String> applications = new HashSet<>();
    private Set<Execution> executions = new HashSet<>();

    KnownExecutions(Limits limits) {
        this.maxApplications = limits.applications();
        this.maxExecutions = limits.executions();
    }

    /** Forgets what the store has no profiles of any more. */
    void refresh(Store store) {
        Set<Execution> stored =
                store.executions().stream().map(Store.Seen::execution).collect(Collectors.toSet());
        Set<String> names = stored.stream().map(Execution::application).collect(Collectors.toSet());
        synchronized (this) {
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
        if (executions.contains(execution)) {
            return;
        }
        boolean isNew = !applications.contains(execution.application());
        if (isNew && applications.size() >= maxApplications) {
            throw full("applications", maxApplications);
        }
        if (executions.size() >= maxExecutions) {
            throw full("executions", maxExecutions);
        }
        applications.add(execution.application());
        executions.add(execution);
    }

    private static Refusal full(String what, int limit) {
        return new Refusal(
                429, "the server already knows " + limit + " " + what + ", its limit", 60);
    }

    synchronized int applications() {
        return applications.size();
    }

    synchronized int executions() {
        return executions.size();
    }
}
