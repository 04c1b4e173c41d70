package dev.heatline.cli;

import dev.heatline.model.Comparison;
import dev.heatline.model.Comparison.Change;
import dev.heatline.model.Consumer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What must not have become worse: conditions such as {@code method>5%,p<0.01} that no method, or
 * no path, may meet all of.
 *
 * <p>{@code method} is a method with all it calls, {@code self} a method by itself, {@code path} a
 * calling context with all below it. {@code 5%} are percentage points of the total, {@code 1.5x} is
 * one and a half times the former share. {@code p} is the probability that noise alone explains the
 * change.
 */
final class Gate {
    private static final Pattern CONDITION =
            Pattern.compile("(method|self|path)>([0-9.]+)(%|x)|p<([0-9.]+(?:e-[0-9]+)?)");

    private final String written;
    private final List<Condition> conditions;
    private final double noiseBelow;

    private Gate(String written, List<Condition> conditions, double noiseBelow) {
        this.written = written;
        this.conditions = conditions;
        this.noiseBelow = noiseBelow;
    }

    private enum Subject {
        METHOD,
        SELF,
        PATH
    }

    private record Condition(Subject subject, double above, boolean relative) {

        boolean isMetBy(Change change) {
            return (relative ? change.ratio() : change.difference()) > above;
        }

        /** What meets it has changed by at least this much of the total. */
        double leastDifference() {
            if (!relative) {
                return above;
            }
            return above >= 1 ? Double.MIN_VALUE : 0;
        }
    }

    /**
     * @throws IllegalArgumentException if it is not written as above; says what is wrong
     */
    static Gate parse(String written) {
        List<Condition> conditions = new ArrayList<>();
        double noiseBelow = Double.POSITIVE_INFINITY;
        for (String part : written.replace(" ", "").split(",", -1)) {
            Matcher matcher = CONDITION.matcher(part.toLowerCase(Locale.ROOT));
            if (!matcher.matches()) {
                throw new IllegalArgumentException(
                        "'"
                                + part
                                + "' is no condition; write method>5%, self>2%, path>1.5x, p<0.01");
            }
            if (matcher.group(4) != null) {
                noiseBelow = number(matcher.group(4));
            } else {
                conditions.add(condition(matcher));
            }
        }
        check(written, conditions);
        return new Gate(written, conditions, noiseBelow);
    }

    private static Condition condition(Matcher matcher) {
        boolean relative = matcher.group(3).equals("x");
        double number = number(matcher.group(2));
        return new Condition(
                Subject.valueOf(matcher.group(1).toUpperCase(Locale.ROOT)),
                relative ? number : number / 100,
                relative);
    }

    private static double number(String digits) {
        try {
            return Double.parseDouble(digits);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("'" + digits + "' is no number");
        }
    }

    private static void check(String written, List<Condition> conditions) {
        if (conditions.isEmpty()) {
            throw new IllegalArgumentException(
                    written + " does not say of what; add method>5%, self>5% or path>5%");
        }
        long paths = conditions.stream().filter(it -> it.subject == Subject.PATH).count();
        if (paths > 0 && paths < conditions.size()) {
            throw new IllegalArgumentException(
                    written + " mixes paths and methods; use --fail-on twice");
        }
    }

    /** Everything that meets all conditions, one line each, what stands out most first. */
    List<String> brokenBy(Comparison comparison) {
        return isAboutPaths()
                ? comparison.paths(leastDifference()).stream()
                        .filter(row -> conditions.stream().allMatch(it -> it.isMetBy(row.cum())))
                        .filter(row -> isNoNoise(row.cum()))
                        .map(row -> line(path(row.path()), row.cum()))
                        .toList()
                : comparison.methods().stream().flatMap(row -> changeOf(row).stream()).toList();
    }

    /** Most contexts have changed by less, and need not be listed. */
    private double leastDifference() {
        return conditions.stream().mapToDouble(Condition::leastDifference).max().orElse(0);
    }

    private boolean isAboutPaths() {
        return conditions.getFirst().subject == Subject.PATH;
    }

    private Optional<String> changeOf(Comparison.MethodChange row) {
        for (Condition condition : conditions) {
            Change change = condition.subject == Subject.SELF ? row.self() : row.cum();
            if (!condition.isMetBy(change) || !isNoNoise(change)) {
                return Optional.empty();
            }
        }
        boolean self = conditions.getFirst().subject == Subject.SELF;
        return Optional.of(line(row.method().display(), self ? row.self() : row.cum()));
    }

    private boolean isNoNoise(Change change) {
        if (Double.isInfinite(noiseBelow)) {
            return true;
        }
        if (Double.isNaN(change.noise())) {
            throw new CommandException(
                    "p cannot be known: a profile does not say how many samples it rests on; leave"
                            + " p out of --fail-on");
        }
        return change.noise() < noiseBelow;
    }

    private static String line(String subject, Change change) {
        String noise =
                Double.isNaN(change.noise())
                        ? ""
                        : String.format(Locale.ROOT, ", p = %.2g", change.noise());
        return String.format(
                Locale.ROOT,
                "%s: %.2f %% -> %.2f %%%s",
                subject,
                100 * change.baseline().share(),
                100 * change.current().share(),
                noise);
    }

    private static String path(List<Consumer> path) {
        return path.stream().map(Consumer::display).collect(Collectors.joining(" > "));
    }

    @Override
    public String toString() {
        return written;
    }
}
