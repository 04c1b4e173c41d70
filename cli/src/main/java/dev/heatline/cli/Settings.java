package dev.heatline.cli;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Options that need not be typed every time: {@code --prune} may also come from the environment as
 * {@code HEATLINE_PRUNE}, or from {@code heatline.properties} in the current directory as {@code
 * prune}. What is typed wins over the environment, and that over the file.
 */
final class Settings implements IDefaultValueProvider {

    static final String FILE = "heatline.properties";

    /** Not where the answer goes, which is said in every command. */
    static final Set<String> NAMES =
            Set.of(
                    "view",
                    "resource",
                    "task",
                    "event",
                    "thread",
                    "prune",
                    "fold-lines",
                    "group",
                    "merge-truncated",
                    "limit",
                    "threshold",
                    "fail-on",
                    "listen",
                    "data",
                    "token-file",
                    "tls-cert",
                    "tls-key",
                    "insecure",
                    "retention",
                    "max-disk",
                    "max-applications",
                    "max-executions",
                    "rate-limit",
                    "sources",
                    "server",
                    "app",
                    "ca-file",
                    "spool",
                    "interval",
                    "budget",
                    "jvms");

    private static final String PREFIX = "HEATLINE_";

    /** What the launcher reads. */
    private static final Set<String> OF_LAUNCHER =
            Set.of("HEATLINE_JAVA_HOME", "HEATLINE_JAVA_OPTS");

    /** What the collector reads in the environment of the applications it profiles. */
    private static final Pattern OF_APPLICATIONS =
            Pattern.compile("HEATLINE_(APP|VERSION|INSTANCE|LABEL_.+)");

    private final Map<String, String> environment;
    private final Properties properties;

    private Settings(Map<String, String> environment, Properties properties) {
        this.environment = environment;
        this.properties = properties;
    }

    /**
     * @throws CommandException if there is a file that cannot be read
     */
    static Settings of(Shell shell) {
        Properties properties = new Properties();
        Path file = shell.directory().resolve(FILE);
        if (Files.exists(file)) {
            try (Reader reader = Files.newBufferedReader(file)) {
                properties.load(reader);
            } catch (IOException | IllegalArgumentException e) {
                throw new CommandException("cannot read " + file + ": " + e.getMessage());
            }
        }
        return new Settings(shell.environment(), properties);
    }

    @Override
    public @Nullable String defaultValue(ArgSpec arg) {
        if (!(arg instanceof OptionSpec option)) {
            return null;
        }
        String name = option.longestName().replaceFirst("^-+(no-)?", "");
        return NAMES.contains(name) ? value(name) : null;
    }

    private @Nullable String value(String name) {
        String variable = environment.get(variable(name));
        return variable != null ? variable : properties.getProperty(name);
    }

    private static String variable(String name) {
        return PREFIX + name.toUpperCase(Locale.ROOT).replace('-', '_');
    }

    /** What is set here or there under a name nothing reads, most likely mistyped. */
    Set<String> unknown() {
        Set<String> unknown = new TreeSet<>(properties.stringPropertyNames());
        unknown.removeAll(NAMES);
        for (String name : environment.keySet()) {
            if (name.startsWith(PREFIX)
                    && !OF_LAUNCHER.contains(name)
                    && !OF_APPLICATIONS.matcher(name).matches()) {
                unknown.add(name);
            }
        }
        NAMES.forEach(name -> unknown.remove(variable(name)));
        return unknown;
    }

    /** What is set and used, such as {@code HEATLINE_PRUNE=1%}. */
    Set<String> known() {
        Set<String> known = new TreeSet<>();
        for (String name : NAMES) {
            String value = value(name);
            if (value != null) {
                boolean fromVariable = environment.containsKey(variable(name));
                known.add((fromVariable ? variable(name) : name) + "=" + value);
            }
        }
        return known;
    }
}
