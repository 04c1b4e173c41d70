package dev.heatline.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The tasks of a Profile: labels of subtrees that are evaluated on their own (000 §3.3.3). A method
 * that matches a definition begins a task, and everything it calls belongs to it.
 *
 * <p>Definitions are matched once per method, never per node, so a new task costs O(methods)
 * matches and one pass over the nodes.
 */
public final class Tasks {
    private static final int[] NO_TASKS = {};

    private final Profile profile;
    private final List<String> names = new ArrayList<>();
    private final int[][] tasksOfConsumer;

    private Tasks(Profile profile) {
        this.profile = profile;
        this.tasksOfConsumer = new int[profile.consumerCount()][];
    }

    public static Tasks of(Profile profile, Collection<TaskDefinition> definitions) {
        Tasks tasks = new Tasks(profile);
        Map<String, Integer> ids = new HashMap<>();
        for (int consumer = 0; consumer < tasks.tasksOfConsumer.length; consumer++) {
            tasks.tasksOfConsumer[consumer] = tasks.match(consumer, definitions, ids);
        }
        return tasks;
    }

    private int[] match(
            int consumer, Collection<TaskDefinition> definitions, Map<String, Integer> ids) {
        Consumer candidate = profile.consumerAt(consumer);
        if (!candidate.isMethod()) {
            return NO_TASKS;
        }
        int[] found = NO_TASKS;
        String qualified =
                candidate.owner().isEmpty()
                        ? candidate.name()
                        : candidate.owner() + '.' + candidate.name();
        for (TaskDefinition definition : definitions) {
            String name = definition.taskOf(qualified).orElse("");
            if (!name.isEmpty()) {
                int id = ids.computeIfAbsent(name, this::newTask);
                found = Arrays.copyOf(found, found.length + 1);
                found[found.length - 1] = id;
            }
        }
        return found;
    }

    private int newTask(String name) {
        names.add(name);
        return names.size() - 1;
    }

    /** The names of all tasks that some method begins, sorted. */
    public List<String> names() {
        return names.stream().sorted().toList();
    }

    /**
     * For each node whether it belongs to one of these tasks (eq. 3.23). One pass.
     *
     * @throws ModelException if a task of this name does not exist here
     */
    public boolean[] select(Collection<String> wanted) {
        Set<Integer> ids = new HashSet<>();
        for (String name : wanted) {
            int id = names.indexOf(name);
            if (id < 0) {
                throw new ModelException(
                        "no method begins task "
                                + name
                                + (names.isEmpty() ? "" : "; tasks here: " + some(names())));
            }
            ids.add(id);
        }
        boolean[] begins = new boolean[tasksOfConsumer.length];
        for (int consumer = 0; consumer < begins.length; consumer++) {
            for (int task : tasksOfConsumer[consumer]) {
                begins[consumer] |= ids.contains(task);
            }
        }
        return belowAny(profile, begins);
    }

    private static String some(List<String> all) {
        return String.join(", ", all.subList(0, Math.min(10, all.size())))
                + (all.size() > 10 ? ", …" : "");
    }

    /** For each node whether it or an ancestor has one of these consumers. One pass. */
    static boolean[] belowAny(Profile profile, boolean[] consumers) {
        boolean[] selected = new boolean[profile.nodeCount()];
        selected[Profile.ROOT] = consumers[profile.consumer(Profile.ROOT)];
        for (int node = 1; node < selected.length; node++) {
            selected[node] = selected[profile.parent(node)] || consumers[profile.consumer(node)];
        }
        return selected;
    }

    /** The roots of a selection (eq. 3.24): selected nodes whose parent is not. */
    public static int[] roots(Profile profile, boolean[] selected) {
        int[] roots = new int[16];
        int count = 0;
        int node = 0;
        while (node < selected.length) {
            if (!selected[node]) {
                node++;
                continue;
            }
            if (count == roots.length) {
                roots = Arrays.copyOf(roots, count * 2);
            }
            roots[count++] = node;
            node = profile.end(node);
        }
        return Arrays.copyOf(roots, count);
    }

    /**
     * What one task used.
     *
     * @param name the task
     * @param roots how many nodes begin it
     * @param occurrences how many occurrences those and all they called had
     * @param value what they and all they called used, nothing twice
     */
    public record Use(String name, int roots, long occurrences, long value) {}

    /** What each task used, the largest first. A node may belong to several. O(nodes). */
    public List<Use> uses(Column column) {
        int nodes = profile.nodeCount();
        long[] value = profile.inclusive(column.self(nodes));
        long[] occurrences =
                profile.occurrences(column.resource())
                        .map(c -> profile.inclusive(c.self(nodes)))
                        .orElseGet(() -> new long[nodes]);
        int[] rootCount = new int[names.size()];
        long[] occurred = new long[names.size()];
        long[] used = new long[names.size()];
        int[] openUntil = new int[names.size()];
        for (int node = 0; node < nodes; node++) {
            for (int task : tasksOfConsumer[profile.consumer(node)]) {
                if (node >= openUntil[task]) {
                    openUntil[task] = profile.end(node);
                    rootCount[task]++;
                    occurred[task] += occurrences[node];
                    used[task] += value[node];
                }
            }
        }
        List<Use> uses = new ArrayList<>();
        for (int task = 0; task < names.size(); task++) {
            uses.add(new Use(names.get(task), rootCount[task], occurred[task], used[task]));
        }
        uses.sort(
                (a, b) ->
                        a.value() != b.value()
                                ? Long.compare(b.value(), a.value())
                                : a.name().compareTo(b.name()));
        return uses;
    }
}
