package dev.heatline.server.query;

import dev.heatline.model.NearNames;
import dev.heatline.store.Store;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What is known of the executions, without asking the store for all of them at every question: only
 * what is not known yet is looked for again, and not too often.
 */
final class Executions {

    private final Store store;
    private final long againNanos;

    private volatile SortedMap<String, List<Store.Seen>> known = new TreeMap<>();
    private volatile long readNanos;
    private volatile boolean read;

    Executions(Store store, QueryOptions options) {
        this.store = store;
        this.againNanos = options.refreshEvery().toNanos();
    }

    /** All of them by application, as they were a moment ago. */
    SortedMap<String, List<Store.Seen>> all() {
        readIfOld();
        return known;
    }

    /**
     * Those of an application, as they were a moment ago.
     *
     * @throws QueryException if there is none
     */
    List<Store.Seen> now(String application) {
        readIfOld();
        return of(application);
    }

    /**
     * Those of an application, as they were when they were last looked for.
     *
     * @throws QueryException if there is none
     */
    List<Store.Seen> of(String application) {
        List<Store.Seen> found = find(application, _ -> true);
        if (found.isEmpty()) {
            throw QueryException.notFound(
                    "no application "
                            + Params.shortened(application)
                            + suggestion(application, known.keySet()));
        }
        return found;
    }

    /**
     * Makes sure that a scope speaks of something that exists.
     *
     * @throws QueryException if an application, version, instance or label is not known
     */
    void check(Scope scope) {
        of(scope.application());
        scope.version().ifPresent(it -> check(scope, "version", it, this::version));
        scope.instances().forEach(it -> check(scope, "instance", it, this::instance));
        scope.labels()
                .forEach((name, value) -> check(scope, "label", name + ':' + value, this::labels));
    }

    /** All values that an execution has of something. */
    private interface Values {
        Collection<String> of(Store.Seen seen);
    }

    private List<String> version(Store.Seen seen) {
        return List.of(seen.execution().version());
    }

    private List<String> instance(Store.Seen seen) {
        return List.of(seen.execution().instance());
    }

    private List<String> labels(Store.Seen seen) {
        return seen.execution().labels().entrySet().stream()
                .map(label -> label.getKey() + ':' + label.getValue())
                .toList();
    }

    private void check(Scope scope, String what, String wanted, Values values) {
        String application = scope.application();
        if (find(application, seen -> values.of(seen).contains(wanted)).isEmpty()) {
            TreeSet<String> names = new TreeSet<>();
            of(application).forEach(seen -> names.addAll(values.of(seen)));
            throw QueryException.badRequest(
                    Params.shortened(application)
                            + " has no "
                            + what
                            + " "
                            + Params.shortened(wanted)
                            + suggestion(wanted, names));
        }
    }

    private static String suggestion(String wanted, Collection<String> names) {
        return NearNames.suggest(
                Params.shortened(wanted),
                names.stream().map(Params::shortened).collect(Collectors.toSet()));
    }

    private List<Store.Seen> find(String application, Predicate<Store.Seen> wanted) {
        List<Store.Seen> found = known(application, wanted);
        if (found.isEmpty() && isOld()) {
            readIfOld();
            found = known(application, wanted);
        }
        return found;
    }

    private List<Store.Seen> known(String application, Predicate<Store.Seen> wanted) {
        return known.getOrDefault(application, List.of()).stream().filter(wanted).toList();
    }

    /** They are read again when somebody asks. */
    synchronized void forget() {
        read = false;
        known = new TreeMap<>();
    }

    private boolean isOld() {
        return !read || System.nanoTime() - readNanos >= againNanos;
    }

    private synchronized void readIfOld() {
        if (!isOld()) {
            return;
        }
        known =
                store.executions().stream()
                        .collect(
                                Collectors.groupingBy(
                                        seen -> seen.execution().application(),
                                        TreeMap::new,
                                        Collectors.toList()));
        readNanos = System.nanoTime();
        read = true;
    }
}
