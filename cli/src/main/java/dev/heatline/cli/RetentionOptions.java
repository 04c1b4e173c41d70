package dev.heatline.cli;

import dev.heatline.formats.Intervals;
import dev.heatline.store.StoreOptions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** For how long, and in how much space, a server keeps profiles. */
final class RetentionOptions {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--retention",
            paramLabel = "[AGE,AGE,]AGE",
            description = {
                "How long profiles are kept: minute by minute, then hour by hour, then at all;"
                        + " 2d,30d,400d if not said. One age says the last."
            })
    private @Nullable String retention;

    @Option(
            names = "--max-disk",
            paramLabel = "SIZE",
            description = "How much disk profiles may take, such as 20g; the oldest go first.")
    private @Nullable String maxDisk;

    /**
     * With all that was not said as usual.
     *
     * @throws ParameterException if something that was said means nothing
     */
    StoreOptions kept() {
        StoreOptions options = StoreOptions.DEFAULT;
        if (maxDisk != null) {
            options = options.withMaxBytes(bytes(maxDisk));
        }
        if (retention == null) {
            return options;
        }
        String[] ages = retention.split(",", -1);
        if (ages.length == 1) {
            Duration days = age(ages[0]);
            return options.withAges(
                    shorter(options.minutes(), days), shorter(options.hours(), days), days);
        }
        if (ages.length != 3) {
            throw wrongAges();
        }
        Duration minutes = age(ages[0]);
        Duration hours = age(ages[1]);
        Duration days = age(ages[2]);
        if (minutes.compareTo(hours) > 0 || hours.compareTo(days) > 0) {
            throw wrong("--retention: each age has to be at least the one before");
        }
        return options.withAges(minutes, hours, days);
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private Duration age(String text) {
        long nanos = Intervals.read(text.strip());
        if (nanos == 0) {
            throw wrongAges();
        }
        return Duration.ofNanos(nanos);
    }

    private ParameterException wrongAges() {
        return wrong("--retention: " + retention + " is not one age or three, such as 2d,30d,400d");
    }

    private long bytes(String text) {
        if (!text.matches("[1-9]\\d{0,9}[kmgtKMGT]?")) {
            throw wrong("--max-disk: " + text + " is no size, such as 500m or 20g");
        }
        int unit = "kmgt".indexOf(Character.toLowerCase(text.charAt(text.length() - 1))) + 1;
        String number = unit == 0 ? text : text.substring(0, text.length() - 1);
        return Long.parseLong(number) << (10 * unit);
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
