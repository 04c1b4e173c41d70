package dev.heatline.server.query;

import dev.heatline.model.ModelException;
import dev.heatline.model.Operations;
import dev.heatline.model.Parts;
import dev.heatline.model.Profile;
import dev.heatline.model.Regex;
import dev.heatline.model.TaskDefinition;
import dev.heatline.model.Tasks;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Which part of a profile is asked about, in the words it was asked in.
 *
 * @param thread only threads in whose name this expression is found
 * @param root only this method and all it calls
 * @param tasks only these tasks, as {@link TaskDefinition#parse} reads them
 */
record Filter(Optional<String> thread, Optional<String> root, List<String> tasks) {
    /** All of a profile. */
    static final Filter NONE = new Filter(Optional.empty(), Optional.empty(), List.of());

    /** How long the expressions of a question may be looked for in all names. */
    static final Duration LONGEST_SEARCH = Duration.ofSeconds(10);

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
        return of(profile, LONGEST_SEARCH);
    }

    /** As above, found within this time. */
    Profile of(Profile profile, Duration longest) {
        return Regex.within(longest, () -> found(profile));
    }

    private Profile found(Profile profile) {
        Profile part = profile;
        if (thread.isPresent() && !isEmpty(part)) {
            part = Parts.ofThreads(part, Regex.compile(thread.get()));
        }
        if (root.isPresent() && !isEmpty(part)) {
            part = Parts.below(part, ShortName.method(part, root.get()));
        }
        if (!tasks.isEmpty() && !isEmpty(part)) {
            part = ofTasks(part);
        }
        return part;
    }

    /**
     * Whether a profile has the part.
     *
     * @throws ModelException if an expression is too complex to tell
     */
    boolean isIn(Profile profile) {
        return Regex.within(LONGEST_SEARCH, () -> isFound(profile));
    }

    private boolean isFound(Profile profile) {
        Profile part = profile;
        if (thread.isPresent()) {
            Pattern wanted = Regex.compile(thread.get());
            if (!hasThread(part, wanted)) {
                return false;
            }
            part = Parts.ofThreads(part, wanted);
        }
        if (root.isPresent()) {
            try {
                part = Parts.below(part, ShortName.method(part, root.get()));
            } catch (ModelException e) {
                // A name is no expression: that it is not there is all that can be wrong.
                return false;
            }
        }
        return tasks.isEmpty() || !Tasks.of(part, TaskDefinition.parseAll(tasks)).names().isEmpty();
    }

    private static boolean hasThread(Profile profile, Pattern wanted) {
        return Arrays.stream(profile.threads())
                .mapToObj(thread -> profile.consumerAt(thread).name())
                .anyMatch(name -> Regex.find(wanted.matcher(name), name));
    }

    private static boolean isEmpty(Profile profile) {
        return profile.columns().isEmpty();
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
}
