package dev.heatline.collector.jvm;

import dev.heatline.model.Execution;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds out which program a JVM runs. */
final class Identity {
    private static final String LABEL = "label.";

    /** {@code shop-1.2-SNAPSHOT} is version {@code 1.2-SNAPSHOT} of {@code shop}. */
    private static final Pattern VERSIONED = Pattern.compile("(.+?)[-_]v?(\\d[\\w.+-]*)");

    private Identity() {}

    /**
     * Told as closely to the program as possible: by the agent's options, then by system properties
     * such as {@code heatline.app}, then by the environment, such as {@code HEATLINE_APP}; else by
     * the name of what was started.
     */
    static Execution of(
            Map<String, String> agentOptions,
            Map<String, String> properties,
            Map<String, String> environment,
            String main,
            String defaultInstance) {
        Map<String, String> told = new TreeMap<>();
        environment.forEach((name, value) -> tell(told, "HEATLINE_", name, value));
        properties.forEach((name, value) -> tell(told, "heatline.", name, value));
        told.putAll(agentOptions);
        told.values().removeIf(String::isBlank);
        SortedMap<String, String> labels = new TreeMap<>();
        told.forEach(
                (name, value) -> {
                    if (name.startsWith(LABEL)) {
                        labels.put(name.substring(LABEL.length()), value);
                    }
                });
        Matcher jar = VERSIONED.matcher(jarName(main).orElse(""));
        boolean versioned = jar.matches();
        String name = versioned ? jar.group(1) : jarName(main).orElse(mainClass(main));
        return new Execution(
                told.getOrDefault("app", name),
                told.getOrDefault("version", versioned ? jar.group(2) : ""),
                told.getOrDefault("instance", defaultInstance),
                labels);
    }

    /** {@code HEATLINE_APP} and {@code heatline.app} are both {@code app}. */
    private static void tell(Map<String, String> told, String prefix, String name, String value) {
        if (name.startsWith(prefix)) {
            boolean variable = prefix.endsWith("_");
            String rest = name.substring(prefix.length());
            String key = variable ? rest.toLowerCase(Locale.ROOT) : rest;
            told.put(variable ? key.replaceFirst("^label_", LABEL) : key, value);
        }
    }

    private static Optional<String> jarName(String main) {
        String file = main.substring(main.lastIndexOf('/') + 1);
        return file.endsWith(".jar")
                ? Optional.of(file.substring(0, file.length() - ".jar".length()))
                : Optional.empty();
    }

    /** Without the module in {@code module/package.Main}. */
    private static String mainClass(String main) {
        String name = main.substring(main.lastIndexOf('/') + 1);
        return name.isEmpty() ? "unknown" : name;
    }
}
