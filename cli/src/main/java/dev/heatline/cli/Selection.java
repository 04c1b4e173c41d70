package dev.heatline.cli;

import dev.heatline.model.ModelException;
import dev.heatline.model.Operations;
import dev.heatline.model.Parts;
import dev.heatline.model.Profile;
import dev.heatline.model.Regex;
import dev.heatline.model.TaskDefinition;
import dev.heatline.model.Tasks;
import dev.heatline.model.TruncatedStacks;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Which part of a profile is asked about. */
final class Selection {
    @Option(
            names = "--task",
            paramLabel = "NAME=prefix:P|regex:R",
            converter = TaskConverter.class,
            description = {
                "Methods whose pkg.Class.method begins with P, or in which R is found, begin a"
                        + " task: they and all they call. R may have named groups, whose text goes"
                        + " into NAME where it says $${group}. May be repeated."
            })
    private List<TaskDefinition> tasks = new ArrayList<>();

    @Option(
            names = "--select",
            paramLabel = "TASK",
            description = "Only this task, of those given. May be repeated. Default: all of them.")
    private List<String> selected = new ArrayList<>();

    @Option(
            names = "--root",
            paramLabel = "Class::method",
            description = "Only what this method and all it calls used.")
    private @Nullable String root;

    @Option(
            names = "--thread",
            paramLabel = "REGEX",
            converter = PatternConverter.class,
            description = "Only threads in whose name this is found.")
    private @Nullable Pattern thread;

    @Option(
            names = "--merge-truncated",
            arity = "0..1",
            paramLabel = "FRAMES",
            converter = FramesConverter.class,
            fallbackValue = "" + TruncatedStacks.DEFAULT_THRESHOLD,
            description = {
                "Stacks that were cut off go where they fit uniquely, if more than so many frames"
                        + " match (${FALLBACK-VALUE} if not said)."
            })
    private @Nullable Integer mergeTruncated;

    /** The tasks that were defined. */
    List<TaskDefinition> tasks() {
        return tasks;
    }

    /** The names of the tasks that are wanted; empty for all. */
    List<String> selectedTasks() {
        return selected;
    }

    /** The whole of what is asked about. */
    Profile of(Profile profile) {
        Profile whole = beforeTasks(profile);
        if (tasks.isEmpty() && selected.isEmpty()) {
            return whole;
        }
        Tasks found = Tasks.of(whole, tasks);
        List<String> wanted = selected.isEmpty() ? found.names() : selected;
        if (wanted.isEmpty()) {
            throw new ModelException(
                    "no method begins any of the tasks given; heatline report --view xprof lists"
                            + " the methods there are");
        }
        return Operations.focus(whole, found.select(wanted));
    }

    /** All but the tasks, for views that tell tasks apart. */
    Profile beforeTasks(Profile profile) {
        Profile part = profile;
        if (mergeTruncated != null) {
            part = TruncatedStacks.merge(part, mergeTruncated);
        }
        if (thread != null) {
            part = Parts.ofThreads(part, thread);
        }
        if (root != null) {
            part = Parts.below(part, root);
        }
        return part;
    }

    /** For picocli: wrong usage, where the model would speak of wrong data. */
    static final class TaskConverter implements ITypeConverter<TaskDefinition> {
        @Override
        public TaskDefinition convert(String written) {
            try {
                return TaskDefinition.parse(written);
            } catch (ModelException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }

    /** For picocli: a number of frames. */
    static final class FramesConverter implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String written) {
            int frames;
            try {
                frames = Integer.parseInt(written.strip());
            } catch (NumberFormatException e) {
                throw new TypeConversionException(written + " is no number of frames");
            }
            if (frames < 0) {
                throw new TypeConversionException(written + " frames are less than none");
            }
            return frames;
        }
    }

    /** For picocli, whose own message has several lines. */
    static final class PatternConverter implements ITypeConverter<Pattern> {
        @Override
        public Pattern convert(String written) {
            try {
                return Regex.compile(written);
            } catch (ModelException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }
}
