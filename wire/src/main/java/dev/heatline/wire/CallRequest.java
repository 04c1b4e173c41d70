package dev.heatline.wire;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What to measure exactly in a JVM: a file of one {@code name value} a line, which the tool writes
 * before it loads the agent.
 *
 * @param roots as {@code Class::method}, with the types of its parameters if several have that
 *     name; or {@link #EVERYTHING}
 * @param regions methods of which only the elapsed times are wanted, written likewise
 * @param eager whether everything reachable is changed at once, and not when it is first called
 * @param sampled whether times are taken of some calls of a context only, once they are known well
 * @param includes patterns of classes of the JDK that are measured, too
 * @param excludes patterns of classes that are not measured
 * @param allocations whether objects are counted, too, by their class and where they are made
 * @param survival whether a sample of them is tracked, to see which are still alive
 * @param methods how many may be changed
 * @param contexts how many there is room for; beyond that, rare ones count for their callers
 * @param budget which part of the time below the roots measuring may take
 */
public record CallRequest(
        List<String> roots,
        List<String> regions,
        boolean eager,
        boolean sampled,
        List<String> includes,
        List<String> excludes,
        boolean allocations,
        boolean survival,
        int methods,
        int contexts,
        double budget) {

    /** As a root: every method of every class that may be measured, whoever calls it. */
    public static final String EVERYTHING = "main";

    /** As a budget: whatever it takes. */
    public static final double NO_BUDGET = Double.POSITIVE_INFINITY;

    /** In the folder that both sides share. */
    public static final String FILE = "request";

    /**
     * Likewise; the tool writes its pid there again and again, and measuring ends when it does not.
     */
    public static final String ALIVE = "alive";

    /** More would be most of an application, which a smaller root serves better. */
    public static final int USUAL_METHODS = 20_000;

    /** 64 MB of the application, and a quarter of that to find them. */
    public static final int USUAL_CONTEXTS = 1 << 21;

    private static final int MOST_BYTES = 1 << 20;
    private static final String ROOT = "root";
    private static final String REGION = "region";
    private static final String EAGER = "eager";
    private static final String SAMPLED = "sampled";
    private static final String INCLUDE = "include";
    private static final String EXCLUDE = "exclude";
    private static final String ALLOCATIONS = "allocations";
    private static final String SURVIVAL = "survival";
    private static final String METHODS = "methods";
    private static final String CONTEXTS = "contexts";
    private static final String BUDGET = "budget";

    /** Whether every call of the application is measured. */
    public boolean everything() {
        return roots.contains(EVERYTHING);
    }

    /** Whether the times of single methods are wanted, and nothing of what these call. */
    public boolean isOfRegions() {
        return !regions.isEmpty();
    }

    /** What it is about, for people. */
    public String subject() {
        return String.join(", ", isOfRegions() ? regions : roots);
    }

    /** The same with room for fewer contexts, within bounds that hold for everybody. */
    public CallRequest within(int most) {
        return new CallRequest(
                roots,
                regions,
                eager,
                sampled,
                includes,
                excludes,
                allocations,
                survival,
                bounded(methods, USUAL_METHODS),
                bounded(contexts, most),
                budget > 0 && budget <= 1 ? budget : 1);
    }

    /** Writes it where the agent looks for it. */
    public void write(Path folder) throws IOException {
        Files.write(folder.resolve(FILE), lines());
    }

    /** It as one {@code name value} a line. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        roots.forEach(each -> lines.add(Line.of(ROOT, each)));
        regions.forEach(each -> lines.add(Line.of(REGION, each)));
        lines.add(Line.of(EAGER, eager));
        lines.add(Line.of(SAMPLED, sampled));
        includes.forEach(each -> lines.add(Line.of(INCLUDE, each)));
        excludes.forEach(each -> lines.add(Line.of(EXCLUDE, each)));
        lines.add(Line.of(ALLOCATIONS, allocations));
        lines.add(Line.of(SURVIVAL, survival));
        lines.add(Line.of(METHODS, methods));
        lines.add(Line.of(CONTEXTS, contexts));
        lines.add(Line.of(BUDGET, budget));
        return lines;
    }

    /**
     * What was written there.
     *
     * @throws IOException if there is no such file, or it is none
     */
    public static CallRequest read(Path folder) throws IOException {
        return of(List.of(SmallFile.text(folder.resolve(FILE), MOST_BYTES).split("\n", -1)));
    }

    /**
     * What these lines say, one {@code name value} each.
     *
     * @throws IOException if that cannot be understood
     */
    public static CallRequest of(List<String> lines) throws IOException {
        Builder request = new Builder();
        for (String line : lines) {
            Line said = Line.parse(line);
            String value = said.value();
            switch (said.name()) {
                case ROOT -> request.roots(List.of(value));
                case REGION -> request.regions(List.of(value));
                case EAGER -> request.eager(Boolean.parseBoolean(value));
                case SAMPLED -> request.sampled(Boolean.parseBoolean(value));
                case INCLUDE -> request.includes(List.of(value));
                case EXCLUDE -> request.excludes(List.of(value));
                case ALLOCATIONS -> request.allocations(Boolean.parseBoolean(value));
                case SURVIVAL -> request.survival(Boolean.parseBoolean(value));
                case METHODS -> request.methods(bounded(whole(value), Integer.MAX_VALUE));
                case CONTEXTS -> request.contexts(bounded(whole(value), Integer.MAX_VALUE));
                case BUDGET -> request.budget(number(value));
                default -> {
                    if (!line.isEmpty()) {
                        throw new IOException("not understood: " + line);
                    }
                }
            }
        }
        return request.build();
    }

    /** From 1 to the most. */
    static int bounded(long number, int most) {
        return (int) Math.max(1, Math.min(number, most));
    }

    static long whole(String value) throws IOException {
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw new IOException("not a whole number: " + value, e);
        }
    }

    private static double number(String value) throws IOException {
        try {
            return Double.parseDouble(value);
        } catch (NumberFormatException e) {
            throw new IOException("not a number: " + value, e);
        }
    }

    /** Nothing to measure yet, in the usual way. */
    public static Builder builder() {
        return new Builder();
    }

    /** What is said adds to what was said before. */
    public static final class Builder {
        private final List<String> roots = new ArrayList<>();
        private final List<String> regions = new ArrayList<>();
        private final List<String> includes = new ArrayList<>();
        private final List<String> excludes = new ArrayList<>();
        private boolean eager;
        private boolean sampled;
        private boolean allocations;
        private boolean survival;
        private int methods = USUAL_METHODS;
        private int contexts = USUAL_CONTEXTS;
        private double budget = NO_BUDGET;

        private Builder() {}

        public Builder roots(List<String> more) {
            roots.addAll(more);
            return this;
        }

        public Builder regions(List<String> more) {
            regions.addAll(more);
            return this;
        }

        public Builder includes(List<String> more) {
            includes.addAll(more);
            return this;
        }

        public Builder excludes(List<String> more) {
            excludes.addAll(more);
            return this;
        }

        public Builder eager(boolean all) {
            eager = all;
            return this;
        }

        public Builder sampled(boolean some) {
            sampled = some;
            return this;
        }

        public Builder allocations(boolean too) {
            allocations = too;
            return this;
        }

        /** Objects that are tracked are counted, too. */
        public Builder survival(boolean too) {
            survival = too;
            return this;
        }

        public Builder methods(int most) {
            methods = most;
            return this;
        }

        public Builder contexts(int most) {
            contexts = most;
            return this;
        }

        public Builder budget(double part) {
            budget = part;
            return this;
        }

        public CallRequest build() {
            return new CallRequest(
                    List.copyOf(roots),
                    List.copyOf(regions),
                    eager,
                    sampled,
                    List.copyOf(includes),
                    List.copyOf(excludes),
                    allocations || survival,
                    survival,
                    methods,
                    contexts,
                    budget);
        }
    }
}
