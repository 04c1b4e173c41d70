package dev.heatline.server;

import java.util.SortedMap;

/**
 * What applications, versions, instances and labels may be called. Names end up in pages, terminals
 * and queries, so what could be mistaken for markup, a path or a control sequence is refused where
 * it comes in, although everything that shows names also escapes them.
 */
final class Names {
    static final int MAX_LENGTH = 512;
    static final int MAX_LABELS = 32;

    /** Of the names and values of all labels together: they are kept in memory. */
    static final int MAX_LABELS_LENGTH = 2_048;

    private static final String MARKUP = "<>\"&`\\";

    private Names() {}

    /**
     * The name, if it is one.
     *
     * @throws Refusal if not; says why
     */
    static String checked(String what, String name) {
        if (name.length() > MAX_LENGTH) {
            throw new Refusal(
                    400, what + " has " + name.length() + " characters, " + MAX_LENGTH + " fit");
        }
        if (name.codePoints().anyMatch(Names::isRefused)) {
            throw new Refusal(
                    400, what + " may not contain control characters or any of " + MARKUP);
        }
        if (isPath(name)) {
            throw new Refusal(400, what + " may not look like a path to somewhere else");
        }
        return name;
    }

    /** Whether {@link #checked} would let it pass. */
    static boolean isName(String name) {
        return name.length() <= MAX_LENGTH
                && name.codePoints().noneMatch(Names::isRefused)
                && !isPath(name);
    }

    private static boolean isPath(String name) {
        return name.equals("..")
                || name.startsWith("../")
                || name.contains("/../")
                || name.endsWith("/..");
    }

    /** As {@link #checked}, of all names and values. */
    static void checkLabels(SortedMap<String, String> labels) {
        if (labels.size() > MAX_LABELS) {
            throw new Refusal(400, labels.size() + " labels are given, " + MAX_LABELS + " fit");
        }
        labels.forEach(
                (name, value) -> {
                    checked("the name of a label", name);
                    checked("a label", value);
                });
        int length = length(labels);
        if (length > MAX_LABELS_LENGTH) {
            throw new Refusal(
                    400,
                    "all labels together have "
                            + length
                            + " characters, "
                            + MAX_LABELS_LENGTH
                            + " fit");
        }
    }

    /** Of all names and values together. */
    static int length(SortedMap<String, String> labels) {
        return labels.entrySet().stream()
                .mapToInt(label -> label.getKey().length() + label.getValue().length())
                .sum();
    }

    private static boolean isRefused(int c) {
        int type = Character.getType(c);
        return type == Character.CONTROL
                || type == Character.FORMAT
                || type == Character.SURROGATE
                || type == Character.LINE_SEPARATOR
                || type == Character.PARAGRAPH_SEPARATOR
                || MARKUP.indexOf(c) >= 0;
    }
}
