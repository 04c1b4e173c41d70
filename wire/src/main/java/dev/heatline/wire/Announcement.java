package dev.heatline.wire;

import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/**
 * What is known about a JVM that Heatline records, in a small file for everybody who wants to know
 * it without attaching: written by the agent at its start, or by the collector that switched the
 * recorder on.
 *
 * @param process whose it is
 * @param options what the agent was told: {@code app}, {@code version}, {@code label.zone} and so
 *     on; none if there is no agent
 * @param settings the events that are on, {@code EVENT#SETTING} to value; none if nothing is
 * @param repository the folder the recorder writes to; empty if nothing is on
 * @param stackDepth how many frames of a stack are kept
 * @param sinceMillis when these settings were made, in milliseconds since 1970
 * @param problem why nothing is on, or not all that should be; empty if all is well
 */
public record Announcement(
        ProcessKey process,
        Map<String, String> options,
        Map<String, String> settings,
        String repository,
        int stackDepth,
        long sinceMillis,
        String problem) {

    private static final String OPTION = "option.";
    private static final String SETTING = "setting.";

    /** Nobody needs more; a longer file is none of ours. */
    private static final long MAX_BYTES = 64 << 10;

    public Announcement {
        options = Map.copyOf(options);
        settings = Map.copyOf(settings);
    }

    /** Whether events are being recorded. */
    public boolean isOn() {
        return !settings.isEmpty();
    }

    void writeTo(Path file) throws IOException {
        Properties properties = new Properties();
        properties.setProperty("pid", String.valueOf(process.pid()));
        properties.setProperty("started", process.started());
        properties.setProperty("repository", repository);
        properties.setProperty("stackDepth", String.valueOf(stackDepth));
        properties.setProperty("since", String.valueOf(sinceMillis));
        properties.setProperty("problem", problem);
        options.forEach((name, value) -> properties.setProperty(OPTION + name, value));
        settings.forEach((name, value) -> properties.setProperty(SETTING + name, value));
        try (Writer writer = Files.newBufferedWriter(file)) {
            properties.store(writer, null);
        }
    }

    /**
     * @throws IOException if the file cannot be read or is not such a file
     */
    static Announcement read(Path file) throws IOException {
        if (Files.size(file) > MAX_BYTES) {
            throw new IOException(file + " is too long for an announcement");
        }
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
            return new Announcement(
                    new ProcessKey(number(properties, "pid"), text(properties, "started")),
                    under(OPTION, properties),
                    under(SETTING, properties),
                    text(properties, "repository"),
                    Math.toIntExact(number(properties, "stackDepth")),
                    number(properties, "since"),
                    text(properties, "problem"));
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new IOException(file + " is not an announcement: " + e.getMessage(), e);
        }
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
