package dev.heatline.wire;

import java.util.Map;
import java.util.regex.Pattern;

/**
 * What applications, versions, instances and labels may be called: a server takes no other names,
 * and a collector uses none. Names end up in pages, terminals and queries, so what could be
 * mistaken for markup, a path or a control sequence stays outside, although everything that shows
 * names also escapes them.
 */
public final class Naming {
    public static final int MAX_LENGTH = 512;
    public static final int MAX_LABELS = 32;

    /** Of the names and values of all labels together: they are kept in memory. */
    public static final int MAX_LABELS_LENGTH = 2_048;

    /** What could be taken for markup. */
    public static final String MARKUP = "<>\"&`\\";

    private static final Pattern UPWARDS = Pattern.compile("(?<=^|/)\\.\\.(?=/|$)");
    private static final int INSTEAD = '_';

    private Naming() {}

    /** Whether it is one. */
    public static boolean isName(String text) {
        return text.length() <= MAX_LENGTH && !hasRefused(text) && !isPath(text);
    }

    /** Whether it has characters that no name has. */
    public static boolean hasRefused(String text) {
        return text.codePoints().anyMatch(Naming::isRefused);
    }

    /** Whether it looks like a path to somewhere else. */
    public static boolean isPath(String text) {
        return UPWARDS.matcher(text).find();
    }

    /** The name that is nearest to it: itself if it is one. */
    public static String mended(String text) {
        StringBuilder name = new StringBuilder();
        text.substring(0, Math.min(text.length(), MAX_LENGTH))
                .codePoints()
                .forEach(c -> name.appendCodePoint(isRefused(c) ? INSTEAD : c));
        return UPWARDS.matcher(name).replaceAll("__");
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

    /** Whether there is room for all these labels. */
    public static boolean fit(Map<String, String> labels) {
        return labels.size() <= MAX_LABELS && length(labels) <= MAX_LABELS_LENGTH;
    }

    /** The characters of all names and values of labels together. */
    public static int length(Map<String, String> labels) {
        return labels.entrySet().stream()
                .mapToInt(label -> label.getKey().length() + label.getValue().length())
                .sum();
    }
}
