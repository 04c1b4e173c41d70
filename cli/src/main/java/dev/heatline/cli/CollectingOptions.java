package dev.heatline.cli;

import dev.heatline.formats.Intervals;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What a collector profiles, how often and at what cost. */
final class CollectingOptions {
    static final String USUAL_INTERVAL = "1m";
    static final String USUAL_BUDGET = "1%";

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--interval",
            paramLabel = "TIME",
            description = "What one profile covers; " + USUAL_INTERVAL + " if not said.")
    private @Nullable String interval;

    @Option(
            names = "--budget",
            paramLabel = "PERCENT",
            converter = Share.Converter.class,
            description = {
                "How much of its CPU time profiling may cost a JVM; 1%% if not said. When it costs"
                        + " more, less is recorded."
            })
    private @Nullable Share budget;

    @Option(
            names = "--jvms",
            paramLabel = "REGEX",
            converter = Selection.PatternConverter.class,
            description = {
                "Only JVMs in whose application or main class this is found, or whose whole pid it"
                        + " is."
            })
    private @Nullable Pattern jvms;

    @Option(
            names = "--locks",
            description = {
                "Also trace who keeps whom waiting for locks, as long as the budget allows it. Loads"
                        + " an agent into the JVMs."
            })
    private boolean locks;

    /**
     * What one profile covers.
     *
     * @throws ParameterException if what was said is no such time
     */
    Duration interval() {
        Duration length = Duration.ofNanos(Intervals.read(writtenInterval()));
        if (length.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new ParameterException(
                    spec.commandLine(), "--interval: " + interval + " is no time of 1s or more");
        }
        return length;
    }

    boolean saysInterval() {
        return interval != null;
    }

    String writtenInterval() {
        return interval == null ? USUAL_INTERVAL : interval;
    }

    double budget() {
        return (budget == null ? Share.parse(USUAL_BUDGET) : budget).value();
    }

    /**
     * How often and at what cost, for a collector in another process.
     *
     * @throws ParameterException if what was said means nothing
     */
    List<String> words(String usualInterval, String usualBudget) {
        return List.of(
                "--interval",
                interval == null ? usualInterval : interval().toMillis() + "ms",
                "--budget",
                budget == null ? usualBudget : Double.toString(budget.value()));
    }

    Optional<Pattern> jvms() {
        return Optional.ofNullable(jvms);
    }

    boolean locks() {
        return locks;
    }
}
