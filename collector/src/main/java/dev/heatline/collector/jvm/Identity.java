package dev.heatline.collector.jvm;

import dev.heatline.model.Execution;
import dev.heatline.wire.Naming;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which program a JVM runs.
 *
 * @param execution with names that every server takes
 * @param changes what was told otherwise, for people; empty if nothing
 */
record Identity(Execution execution, String changes) {
    private static final String LABEL = "label.";

    private static final String RULES =
            "names have at most "
                    + Naming.MAX_LENGTH
                    + " characters, no control characters and none of "
                    + Naming.MARKUP
                    + "; "
                    + Naming.MAX_LABELS
                    + " labels fit, with "
                    + Naming.MAX_LABELS_LENGTH
                    + " characters together";

    /** More of a name is not shown. */
    private static final int MAX_SHOWN = 40;

    /** {@code shop-1.2-SNAPSHOT} is version {@code 1.2-SNAPSHOT} of {@code shop}. */
    private static final Pattern VERSIONED = Pattern.compile("(.+?)[-_]v?(\\d[\\w.+-]*)");

    /**
     * Told as closely to the program as possible: by the agent's options, then by system properties
     * such as {@code heatline.app}, then by the environment, such as {@code HEATLINE_APP}; else by
     * the name of what was started.
     */
    static Identity of(
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
        Matcher jar = VERSIONED.matcher(jarName(main).orElse(""));
        boolean versioned = jar.matches();
        String name = versioned ? jar.group(1) : jarName(main).orElse(mainClass(main));
        List<String> changes = new ArrayList<>();
        Execution execution =
                new Execution(
                        mended("app", told.getOrDefault("app", name), changes),
                        mended(
                                "version",
                                told.getOrDefault("version", versioned ? jar.group(2) : ""),
                                changes),
                        mended("instance", told.getOrDefault("instance", defaultInstance), changes),
                        labels(told, changes));
        return new Identity(
                execution,
                changes.isEmpty() ? "" : "kept " + String.join(", ", changes) + ": " + RULES);
    }

    /** A server would refuse every profile under another name. */
    private static String mended(String what, String told, List<String> changes) {
        String mended = Naming.mended(OneLine.of(told));
        if (!mended.equals(told)) {
            changes.add(what + " as " + shown(mended));
        }
        return mended;
    }

    /** As many as there is room for. */
    private static SortedMap<String, String> labels(
            Map<String, String> told, List<String> changes) {
        SortedMap<String, String> labels = new TreeMap<>();
        told.forEach(
                (what, value) -> {
                    if (what.startsWith(LABEL) && what.length() > LABEL.length()) {
                        String given = what.substring(LABEL.length());
                        String name = mended("the name of a label", given, changes);
                        boolean known = labels.containsKey(name);
                        labels.putIfAbsent(name, mended(LABEL + shown(name), value, changes));
                        if (!Naming.fit(labels)) {
                            labels.remove(name);
                            known = true;
                        }
                        if (known) {
                            changes.add(LABEL + shown(given) + " not at all");
                        }
                    }
                });
        return labels;
    }

    private static String shown(String name) {
        return name.length() > MAX_SHOWN ? name.substring(0, MAX_SHOWN) + "…" : name;
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
