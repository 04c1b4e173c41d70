package dev.heatline.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Says which methods begin a task and what that task is called (000 §3.3.3, listings 3.4 and 3.5).
 *
 * <p>A definition is matched against {@code pkg.Class.method}. A regular expression may have named
 * groups, whose text goes into the task's name where it says <code>${group}</code>; group names may
 * hold any character but {@code >}, as in the thesis's <code>service-name</code>.
 */
public final class TaskDefinition {

    private static final Pattern GROUP = Pattern.compile("(?<!\\\\)(\\(\\?|\\\\k)<([^=!>][^>]*)>");
    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([^}]*)\\}");

    private final String taskName;

    /** The prefix or regular expression as it was written. */
    private final String text;

    private final Optional<Pattern> pattern;

    /** Group names as written, to the names java.util.regex accepts. */
    private final Map<String, String> groups;

    private TaskDefinition(
            String taskName, String text, Optional<Pattern> pattern, Map<String, String> groups) {
        this.taskName = taskName;
        this.text = text;
        this.pattern = pattern;
        this.groups = groups;
    }

    /** All methods whose qualified name begins with {@code prefix} begin the task. */
    public static TaskDefinition prefix(String taskName, String prefix) {
        return new TaskDefinition(taskName, prefix, Optional.empty(), Map.of());
    }

    /**
     * All methods in whose qualified name {@code regex} is found begin a task.
     *
     * @throws ModelException if it does not compile, or the name asks for a group it does not have
     */
    public static TaskDefinition regex(String taskName, String regex) {
        Map<String, String> groups = new HashMap<>();
        Matcher group = GROUP.matcher(regex);
        String accepted =
                group.replaceAll(
                        found -> {
                            String known =
                                    groups.computeIfAbsent(
                                            found.group(2), _ -> "g" + groups.size() + "x");
                            return Matcher.quoteReplacement(found.group(1) + "<" + known + ">");
                        });
        Pattern pattern = Regex.compile(regex, accepted);
        Matcher placeholder = PLACEHOLDER.matcher(taskName);
        while (placeholder.find()) {
            if (!groups.containsKey(placeholder.group(1))) {
                throw new ModelException(
                        "task name "
                                + taskName
                                + " asks for group "
                                + placeholder.group(1)
                                + ", which "
                                + regex
                                + " does not have");
            }
        }
        return new TaskDefinition(taskName, regex, Optional.of(pattern), groups);
    }

    /**
     * Reads {@code NAME=prefix:P} or {@code NAME=regex:R}.
     *
     * @throws ModelException if it is neither
     */
    public static TaskDefinition parse(String written) {
        int equals = written.indexOf('=');
        int colon = written.indexOf(':', equals + 1);
        if (equals > 0 && colon > equals) {
            String name = written.substring(0, equals);
            String value = written.substring(colon + 1);
            String type = written.substring(equals + 1, colon).toLowerCase(Locale.ROOT);
            if (type.equals("prefix")) {
                return prefix(name, value);
            }
            if (type.equals("regex")) {
                return regex(name, value);
            }
        }
        throw new ModelException(
                "task " + written + ": write NAME=prefix:com.shop. or NAME=regex:PATTERN");
    }

    /** What the tasks are called, with the placeholders it may have. */
    public String name() {
        return taskName;
    }

    /** Whether {@link #text} is a regular expression, not a prefix. */
    public boolean isRegex() {
        return pattern.isPresent();
    }

    /** The prefix or regular expression. */
    public String text() {
        return text;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TaskDefinition that
                && taskName.equals(that.taskName)
                && text.equals(that.text)
                && isRegex() == that.isRegex();
    }

    @Override
    public int hashCode() {
        return taskName.hashCode() * 31 + text.hashCode();
    }

    /** As {@link #parse} reads it. */
    @Override
    public String toString() {
        return taskName + (isRegex() ? "=regex:" : "=prefix:") + text;
    }

    /** The name of the task that this method begins, if it begins one. */
    Optional<String> taskOf(String qualifiedName) {
        if (pattern.isEmpty()) {
            return qualifiedName.startsWith(text) ? Optional.of(taskName) : Optional.empty();
        }
        Matcher matcher = pattern.get().matcher(qualifiedName);
        return Regex.find(matcher, qualifiedName)
                ? Optional.of(nameFrom(matcher))
                : Optional.empty();
    }

    private String nameFrom(Matcher matcher) {
        return PLACEHOLDER
                .matcher(taskName)
                .replaceAll(
                        asked -> {
                            String group = groups.getOrDefault(asked.group(1), "");
                            String text = matcher.group(group);
                            return Matcher.quoteReplacement(text == null ? "" : text);
                        });
    }

    /** Several definitions, as written on a command line. */
    public static List<TaskDefinition> parseAll(List<String> written) {
        List<TaskDefinition> definitions = new ArrayList<>();
        for (String one : written) {
            definitions.add(parse(one));
        }
        return definitions;
    }
}
