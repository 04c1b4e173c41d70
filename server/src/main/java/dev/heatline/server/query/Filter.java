package dev.heatline.server.query;

import dev.heatline.model.Column;
import dev.heatline.model.MethodFinder;
import dev.heatline.model.ModelException;
import dev.heatline.model.Operations;
import dev.heatline.model.Profile;
import dev.heatline.model.Regex;
import dev.heatline.model.TaskDefinition;
import dev.heatline.model.Tasks;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Which part of a profile is asked about, in the words it was asked in.
 *
 * @param thread only threads in whose name this expression is found
 * @param root only this method and all it calls
 * @param tasks only these tasks, as {@link TaskDefinition#parse} reads them
 */
record Filter(Optional<String> thread, Optional<String> root, List<String> tasks) {
    private static final int THREADS_NAMED = 5;

    /** All of a profile. */
    static final Filter NONE = new Filter(Optional.empty(), Optional.empty(), List.of());

    Filter {
        tasks = List.copyOf(tasks);
    }

    /** Everything but the tasks, for whoever tells them apart. */
    Filter withoutTasks() {
        return new Filter(thread, root, List.of());
    }

    /**
     * The part that is meant. Of nothing, every part is nothing.
     *
     * @throws ModelException if there is no such thread, method or task in the profile
     */
    Profile of(Profile profile) {
        Profile part = profile;
        if (thread.isPresent() && !isEmpty(part)) {
            part = ofThreads(part, Regex.compile(thread.get()));
        }
        if (root.isPresent() && !isEmpty(part)) {
            part = below(part, root.get());
        }
        if (!tasks.isEmpty() && !isEmpty(part)) {
            part = ofTasks(part);
        }
        return part;
    }

    private static boolean isEmpty(Profile profile) {
        return profile.columns().isEmpty();
    }

    private static Profile below(Profile profile, String method) {
        Set<Integer> methods = new HashSet<>(MethodFinder.find(profile, method));
        return Operations.focus(profile, it -> methods.contains(profile.idOf(it)));
    }

    private Profile ofTasks(Profile profile) {
        Tasks found = Tasks.of(profile, TaskDefinition.parseAll(tasks));
        if (found.names().isEmpty()) {
            throw new ModelException(
                    "no method begins any of the tasks "
                            + String.join(", ", tasks)
                            + "; /api/v1/methods lists the methods there are");
        }
        return Operations.focus(profile, found.select(found.names()));
    }

    private static Profile ofThreads(Profile profile, Pattern wanted) {
        int[] ids = profile.threads();
        boolean[] matches = new boolean[profile.consumerCount()];
        boolean any = false;
        for (int id : ids) {
            String name = profile.consumerAt(id).name();
            matches[id] = Regex.find(wanted.matcher(name), name);
            any |= matches[id];
        }
        if (!any) {
            throw new ModelException(
                    "no thread matches " + wanted + "; " + threadNames(profile, ids));
        }
        return Operations.selectThreads(profile, id -> id != Column.NO_THREAD && matches[id]);
    }

    private static String threadNames(Profile profile, int[] ids) {
        if (ids.length == 0) {
            return "the profile does not tell threads apart";
        }
        List<String> names = new ArrayList<>();
        for (int i = 0; i < Math.min(ids.length, THREADS_NAMED); i++) {
            names.add(profile.consumerAt(ids[i]).name());
        }
        return "threads here: "
                + String.join(", ", names)
                + (ids.length > THREADS_NAMED ? ", …" : "");
    }
}
