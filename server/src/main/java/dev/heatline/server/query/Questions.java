package dev.heatline.server.query;

import dev.heatline.model.ModelException;
import dev.heatline.model.NearNames;
import dev.heatline.model.Regex;
import dev.heatline.model.TaskDefinition;
import dev.heatline.store.Selection;
import dev.heatline.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Understands the parameters that say what is asked about. */
final class Questions {

    /** Which stored profiles. */
    static final Set<String> SCOPE = Set.of("app", "version", "instance", "label", "from", "until");

    /** Which part of them, and what of it. */
    static final Set<String> PART = Set.of("thread", "root", "task", "resource");

    /** What to compare with. */
    static final Set<String> BASELINE = Set.of("baseline", "baselineFrom", "baselineUntil");

    private final Store store;
    private final Executions executions;
    private final Selections selections;
    private final QueryOptions options;

    Questions(Store store, Executions executions, Selections selections, QueryOptions options) {
        this.store = store;
        this.executions = executions;
        this.selections = selections;
        this.options = options;
    }

    /**
     * What is asked about, as far as there is something of the resource. The first time somebody
     * asks for it this takes as long as merging it.
     *
     * @throws QueryException if a parameter means nothing
     * @throws ModelException if what it means is not there
     */
    Chosen chosen(Params params) {
        return chosen(scope(params), filter(params), params);
    }

    /** As above, of another scope or filter. */
    Chosen chosen(Scope scope, Filter filter, Params params) {
        return ofAllResources(scope, filter, params).ofResource();
    }

    /** As above, for what is not about one resource alone. */
    Chosen ofAllResources(Params params) {
        return ofAllResources(scope(params), filter(params), params);
    }

    /** As above, of another scope or filter. */
    Chosen ofAllResources(Scope scope, Filter filter, Params params) {
        Snapshot snapshot = selections.of(scope);
        return new Chosen(scope, filter, params.one("resource"), snapshot, snapshot.part(filter));
    }

    /**
     * What is asked about, beside what it is compared with. A part that only one of them has is new
     * or gone: the other has nothing of it.
     *
     * @throws ModelException if neither has it
     */
    Sides sides(Params params) {
        Scope scope = scope(params);
        Filter filter = filter(params);
        Optional<Scope> baseline = baselineIfAny(scope, params);
        if (baseline.isEmpty()) {
            return new Sides(chosen(scope, filter, params), Optional.empty());
        }
        Snapshot now = selections.of(scope);
        Snapshot before = selections.of(baseline.get());
        Part current = now.partOrNothing(filter);
        Part earlier = before.partOrNothing(filter);
        if (current.isEmpty() && earlier.isEmpty()) {
            // Whichever knows others, but not this one, says so.
            current = now.part(filter);
            earlier = before.part(filter);
        }
        Optional<String> resource = params.one("resource");
        return new Sides(
                new Chosen(scope, filter, resource, now, current).ofResource(),
                Optional.of(
                        new Chosen(baseline.get(), filter, resource, before, earlier)
                                .ofResource()));
    }

    /** Which stored profiles are meant. */
    Scope scope(Params params) {
        Scope scope =
                new Scope(
                        params.require("app", "NAME; /api/v1/applications lists them"),
                        version(params),
                        new TreeSet<>(params.all("instance")),
                        labels(params.given("label")),
                        params.one("from").map(it -> Moment.parse("from", it)),
                        until(params, "until"));
        checkRange(scope);
        executions.check(scope);
        return scope;
    }

    /** An empty version is that of executions whose version is unknown. */
    private static Optional<String> version(Params params) {
        List<String> versions = params.all("version");
        if (versions.size() > 1) {
            throw QueryException.badRequest(
                    "version is given " + versions.size() + " times; /api/v1/compare compares two");
        }
        return versions.stream().findFirst();
    }

    /** Until now is as much as what still comes. */
    static Optional<Moment> until(Params params, String name) {
        return params.one(name)
                .map(it -> Moment.parse(name, it))
                .filter(it -> !it.equals(Moment.NOW));
    }

    /** What to compare with; empty if nothing is said of it. */
    private Optional<Scope> baselineIfAny(Scope scope, Params params) {
        List<String> version = params.all("baseline");
        Optional<Moment> from =
                params.one("baselineFrom").map(it -> Moment.parse("baselineFrom", it));
        Optional<Moment> until = until(params, "baselineUntil");
        if (version.isEmpty() && from.isEmpty() && until.isEmpty()) {
            return Optional.empty();
        }
        Scope baseline = version.isEmpty() ? scope : scope.withVersion(version.getFirst());
        if (from.isPresent() || until.isPresent()) {
            baseline = baseline.between(from, until);
        }
        checkRange(baseline);
        executions.check(baseline);
        return Optional.of(baseline);
    }

    private void checkRange(Scope scope) {
        Selection now = scope.at(options.clock().instant());
        if (!now.from().isBefore(now.until())) {
            throw QueryException.badRequest(
                    "from " + now.from() + " is not before until " + now.until());
        }
    }

    private static SortedMap<String, String> labels(List<String> written) {
        SortedMap<String, String> labels = new TreeMap<>();
        for (String label : written) {
            int colon = label.indexOf(':');
            if (colon < 1) {
                throw QueryException.badRequest(
                        "label " + Params.shortened(label) + ": write name:value");
            }
            labels.put(label.substring(0, colon), label.substring(colon + 1));
        }
        return labels;
    }

    /** Which part of them is meant. */
    Filter filter(Params params) {
        Optional<String> thread = params.one("thread");
        thread.ifPresent(Regex::compile);
        return new Filter(thread, params.one("root"), tasks(params));
    }

    private List<String> tasks(Params params) {
        List<String> tasks = new ArrayList<>();
        List<String> written = params.given("task");
        for (String task : written) {
            tasks.add(task.indexOf('=') < 0 ? saved(params, task) : checked(task));
        }
        return tasks;
    }

    private static String checked(String task) {
        return TaskDefinition.parse(task).toString();
    }

    private String saved(Params params, String name) {
        List<TaskDefinition> tasks = store.tasks(params.require("app", "NAME"));
        return tasks.stream()
                .filter(task -> task.name().equals(name))
                .map(TaskDefinition::toString)
                .findFirst()
                .orElseThrow(
                        () ->
                                QueryException.badRequest(
                                        "no saved task "
                                                + Params.shortened(name)
                                                + meant(name, tasks)
                                                + " Write NAME=prefix:com.shop. or"
                                                + " NAME=regex:PATTERN for one of your own"));
    }

    private static String meant(String name, List<TaskDefinition> tasks) {
        String suggested = NearNames.suggest(name, names(tasks));
        return suggested.isEmpty() ? "." : suggested;
    }

    private static Set<String> names(List<TaskDefinition> tasks) {
        return tasks.stream().map(TaskDefinition::name).collect(Collectors.toSet());
    }
}
