package dev.heatline.cli;

import dev.heatline.formats.Intervals;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** How long a command looks at a JVM. */
final class DurationOption {
    private static final long LEAST_NANOS = 10_000_000;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = {"-d", "--duration"},
            paramLabel = "TIME",
            defaultValue = "10s",
            description = "For how long; ${DEFAULT-VALUE} if not said. Ctrl-C ends it early.")
    private String duration = "";

    long nanos() {
        return nanos("--duration", duration);
    }

    /**
     * A time as people write it.
     *
     * @throws ParameterException if it is none, or too short
     */
    long nanos(String option, String written) {
        long nanos = Intervals.read(written);
        if (nanos < LEAST_NANOS) {
            throw new ParameterException(
                    spec.commandLine(),
                    option
                            + ": "
                            + written
                            + " is no time of 10ms or more, such as 500ms, 10s or 1m");
        }
        return nanos;
    }

    @Override
    public String toString() {
        return duration;
    }
}
