package dev.heatline.wire;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;

/**
 * What is known about a JVM that Heatline records, in a small file for everybody who wants to know
 * it without attaching: written by the agent at its start, or by the collector that switched the
 * recorder on.
 *
 * @param process whose it is
 * @param byAgent whether the application was started with the agent
 * @param options what the agent was told: {@code app}, {@code version}, {@code label.zone} and so
 *     on; none if there is no agent
 * @param settings the events that are on, {@code EVENT#SETTING} to value; none if nothing is
 * @param repository the folder the recorder writes to; empty if nothing is on
 * @param stackDepth how many frames of a stack are kept
 * @param sinceMillis when these settings were made, in milliseconds since 1970
 * @param problem why nothing is on, or not all that should be; empty if all is well
 * @param reduction what the collector left out to keep to its budget, for people; empty if nothing
 * @param collector the collector that follows the recording; others leave it alone while it lives
 */
public record Announcement(
        ProcessKey process,
        boolean byAgent,
        Map<String, String> options,
        Map<String, String> settings,
        String repository,
        int stackDepth,
        long sinceMillis,
        String problem,
        String reduction,
        Optional<ProcessKey> collector) {

    private static final String OPTION = "option.";
    private static final String SETTING = "setting.";

    /** Nobody needs more; a longer file is none of ours. */
    private static final int MAX_BYTES = 64 << 10;

    public Announcement {
        options = Map.copyOf(options);
        settings = Map.copyOf(settings);
    }

    /** The same about a process that calls itself by another pid. */
    Announcement about(ProcessKey outside) {
        return new Announcement(
                outside,
                byAgent,
                options,
                settings,
                repository,
                stackDepth,
                sinceMillis,
                problem,
                reduction,
                collector);
    }

    /** The same with another collector, or none. */
    public Announcement with(Optional<ProcessKey> other) {
        return new Announcement(
                process,
                byAgent,
                options,
                settings,
                repository,
                stackDepth,
                sinceMillis,
                problem,
                reduction,
                other);
    }

    /**
     * The same while nothing is recorded.
     *
     * @param why for people
     */
    public Announcement suspended(String why, long millis) {
        return new Announcement(
                process,
                byAgent,
                options,
                Map.of(),
                "",
                stackDepth,
                millis,
                why,
                reduction,
                collector);
    }

    /** Whether events are being recorded. */
    public boolean isOn() {
        return !settings.isEmpty();
    }

    /**
     * As {@link Properties} reads it. Their own method of writing first loads all of a calendar.
     */
    String text() {
        StringBuilder text = new StringBuilder();
        line(text, "pid", String.valueOf(process.pid()));
        line(text, "started", process.started());
        line(text, "namespace", ProcessKey.namespace());
        line(text, "agent", String.valueOf(byAgent));
        line(text, "repository", repository);
        line(text, "stackDepth", String.valueOf(stackDepth));
        line(text, "since", String.valueOf(sinceMillis));
        line(text, "problem", problem);
        line(text, "reduced", reduction);
        if (collector.isPresent()) {
            line(text, "collector.pid", String.valueOf(collector.get().pid()));
            line(text, "collector.started", collector.get().started());
        }
        for (Map.Entry<String, String> option : options.entrySet()) {
            line(text, OPTION + option.getKey(), option.getValue());
        }
        for (Map.Entry<String, String> setting : settings.entrySet()) {
            line(text, SETTING + setting.getKey(), setting.getValue());
        }
        return text.toString();
    }

    private static void line(StringBuilder text, String name, String value) {
        escape(text, name);
        text.append('=');
        escape(text, value);
        text.append('\n');
    }

    private static void escape(StringBuilder text, String plain) {
        for (int i = 0; i < plain.length(); i++) {
            char c = plain.charAt(i);
            switch (c) {
                case '\n' -> text.append("\\n");
                case '\r' -> text.append("\\r");
                case ' ', '\t', '\f', ':', '=', '#', '!', '\\' -> text.append('\\').append(c);
                default -> text.append(c);
            }
        }
    }

    /**
     * @throws IOException if the file cannot be read or is not such a file
     */
    static Announcement read(Path file) throws IOException {
        try {
            Properties properties = properties(file);
            return new Announcement(
                    new ProcessKey(number(properties, "pid"), text(properties, "started")),
                    Boolean.parseBoolean(text(properties, "agent")),
                    under(OPTION, properties),
                    under(SETTING, properties),
                    Path.of(text(properties, "repository")).toString(),
                    Math.toIntExact(number(properties, "stackDepth")),
                    number(properties, "since"),
                    text(properties, "problem"),
                    text(properties, "reduced"),
                    collector(properties));
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new IOException(file + " is not an announcement: " + e.getMessage(), e);
        }
    }

    /** Whether its pids are of this namespace, so that its process can be looked for. */
    static boolean isOfHere(Path file) {
        try {
            String namespace = text(properties(file), "namespace");
            // Older versions wrote none.
            return namespace.isEmpty() || namespace.equals(ProcessKey.namespace());
        } catch (IOException | IllegalArgumentException e) {
            // Nobody can read it.
            return true;
        }
    }

    private static Properties properties(Path file) throws IOException {
        Properties properties = new Properties();
        properties.load(new StringReader(SmallFile.text(file, MAX_BYTES)));
        return properties;
    }

    private static Optional<ProcessKey> collector(Properties properties) {
        return text(properties, "collector.pid").isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new ProcessKey(
                                number(properties, "collector.pid"),
                                text(properties, "collector.started")));
    }

    private static String text(Properties properties, String name) {
        return properties.getProperty(name, "");
    }

    private static long number(Properties properties, String name) {
        return Long.parseLong(text(properties, name));
    }

    private static Map<String, String> under(String prefix, Properties properties) {
        Map<String, String> found = new TreeMap<>();
        for (String name : properties.stringPropertyNames()) {
            if (name.startsWith(prefix)) {
                found.put(name.substring(prefix.length()), properties.getProperty(name));
            }
        }
        return found;
    }
}
