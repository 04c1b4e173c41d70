package dev.heatline.report;

import static java.util.stream.Collectors.toMap;

import dev.heatline.model.Column;
import dev.heatline.model.ContentionAspect;
import dev.heatline.model.Profile;
import dev.heatline.model.Resource;
import dev.heatline.model.SubsumingMethods;
import dev.heatline.model.TaskDefinition;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What is asked of a report. Everything has a sensible default; a view ignores what does not
 * concern it.
 *
 * @param title what the profile is called, such as its file; empty to name its application
 * @param resource the column to show; the profile's main one when empty
 * @param otherwise what there is nothing of, where nothing was recorded
 * @param prune the share of the total, 0 to 1, below which rows are hidden
 * @param limit how many rows, or stanzas, to show at most; 0 for all. When empty, text and HTML
 *     show what a reader can use and JSON shows all
 * @param foldLines whether contexts that differ only in a line are one
 * @param byThread whether every thread has a tree of its own
 * @param width the columns of the terminal; empty in a pipe, where nothing is cut
 * @param tasks the definitions for the view of tasks
 * @param heightBound see {@link SubsumingMethods}
 * @param distanceBound see {@link SubsumingMethods}
 * @param aspects what contentions are told apart by, for the view of locks
 * @param recorded how many occurrences there were, by their names, before a part of the profile was
 *     selected: the y of "x of y samples"
 */
public record ReportOptions(
        String title,
        Optional<String> resource,
        Resource otherwise,
        double prune,
        OptionalInt limit,
        boolean foldLines,
        boolean byThread,
        OptionalInt width,
        List<TaskDefinition> tasks,
        int heightBound,
        int distanceBound,
        List<ContentionAspect> aspects,
        Map<String, Long> recorded) {

    /** No stack of a sensible program is deeper, and the work grows with the bounds. */
    public static final int LARGEST_BOUND = 1_000;

    public static final ReportOptions DEFAULTS = new Builder().build();

    public ReportOptions {
        if (!(prune >= 0 && prune <= 1)) {
            throw new ReportException(
                    "prune " + prune + " is no share: give 0 to 1, or 0% to 100%");
        }
        if (limit.isPresent() && limit.getAsInt() < 0) {
            throw new ReportException(
                    "limit " + limit.getAsInt() + " is negative: give 0 to show all");
        }
        if (!areBounds(heightBound, distanceBound)) {
            throw new ReportException(
                    "bounds of subsuming methods: height 0 to "
                            + LARGEST_BOUND
                            + ", distance 1 to "
                            + LARGEST_BOUND);
        }
        tasks = List.copyOf(tasks);
        aspects = List.copyOf(aspects);
        recorded = Map.copyOf(recorded);
    }

    /** Whether these can be bounds of subsuming methods. */
    public static boolean areBounds(int height, int distance) {
        return height >= 0 && height <= LARGEST_BOUND && distance >= 1 && distance <= LARGEST_BOUND;
    }

    public static Builder builder() {
        return new Builder();
    }

    /** How many rows to show where {@code usual} is what a reader of that form can use. */
    int rows(int usual) {
        int asked = limit.orElse(usual);
        return asked == 0 ? Integer.MAX_VALUE : asked;
    }

    /** Collects options by name. */
    public static final class Builder {
        private String title = "";
        private Optional<String> resource = Optional.empty();
        private Resource otherwise = Resource.SAMPLES;
        private double prune;
        private OptionalInt limit = OptionalInt.empty();
        private boolean foldLines;
        private boolean byThread;
        private OptionalInt width = OptionalInt.empty();
        private List<TaskDefinition> tasks = List.of();
        private int heightBound = SubsumingMethods.DEFAULT_BOUND;
        private int distanceBound = SubsumingMethods.DEFAULT_BOUND;
        private List<ContentionAspect> aspects = ContentionAspect.USUAL;
        private Map<String, Long> recorded = Map.of();

        private Builder() {}

        public Builder title(String name) {
            title = name;
            return this;
        }

        public Builder resource(String name) {
            resource = Optional.of(name);
            return this;
        }

        public Builder otherwise(Resource nothingOf) {
            otherwise = nothingOf;
            return this;
        }

        public Builder prune(double share) {
            prune = share;
            return this;
        }

        public Builder limit(int rows) {
            limit = OptionalInt.of(rows);
            return this;
        }

        public Builder foldLines(boolean fold) {
            foldLines = fold;
            return this;
        }

        public Builder byThread(boolean separate) {
            byThread = separate;
            return this;
        }

        public Builder width(int columns) {
            width = OptionalInt.of(columns);
            return this;
        }

        public Builder tasks(List<TaskDefinition> definitions) {
            tasks = definitions;
            return this;
        }

        public Builder bounds(int height, int distance) {
            heightBound = height;
            distanceBound = distance;
            return this;
        }

        public Builder aspects(List<ContentionAspect> inOrder) {
            aspects = inOrder;
            return this;
        }

        /** Before a part of it was selected, the profile was this one. */
        public Builder recorded(Profile whole) {
            recorded =
                    whole.columns().stream()
                            .filter(column -> column.resource().isOccurrences())
                            .collect(toMap(column -> column.resource().name(), Column::total));
            return this;
        }

        /**
         * The options.
         *
         * @throws ReportException if a value is out of range
         */
        public ReportOptions build() {
            return new ReportOptions(
                    title,
                    resource,
                    otherwise,
                    prune,
                    limit,
                    foldLines,
                    byThread,
                    width,
                    tasks,
                    heightBound,
                    distanceBound,
                    aspects,
                    recorded);
        }
    }
}
