package dev.heatline.wire;

import java.util.ArrayList;
import java.util.List;

/**
 * One line of {@code name value}: the form in which agent, collector and server say small things to
 * each other. A value has no line of its own to end, and ends up in logs and on terminals: control
 * characters are blanks.
 */
record Line(String name, String value) {
    private static final String CONTROLS = "\\p{Cntrl}+";

    /** A line without a blank has an empty name, which nobody knows. */
    static Line parse(String text) {
        int space = text.indexOf(' ');
        return new Line(
                text.substring(0, Math.max(0, space)),
                text.substring(space + 1).replaceAll(CONTROLS, " "));
    }

    static String of(String name, Object value) {
        return name + " " + String.valueOf(value).replaceAll(CONTROLS, " ");
    }

    /** What is said of several things, each of which begins with a line of this name. */
    static List<List<String>> groups(String text, String first) {
        List<List<String>> groups = new ArrayList<>();
        for (String line : text.split("\n", -1)) {
            if (parse(line).name().equals(first)) {
                groups.add(new ArrayList<>());
            }
            if (!groups.isEmpty() && !line.isEmpty()) {
                groups.get(groups.size() - 1).add(line);
            }
        }
        return groups;
    }
}
