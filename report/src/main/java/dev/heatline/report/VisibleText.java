package dev.heatline.report;

/**
 * Names come from the profiled program and may hold anything. Here they become one line that shows
 * what it holds: control characters and those that reorder text are written as escapes, so that a
 * name can neither drive a terminal nor pass for another one.
 */
final class VisibleText {

    private static final String ELLIPSIS = "…";

    private VisibleText() {}

    static String of(String name) {
        for (int i = 0; i < name.length(); i++) {
            if (isInvisible(name.charAt(i))) {
                return escaped(name);
            }
        }
        return name;
    }

    private static String escaped(String name) {
        StringBuilder text = new StringBuilder(name.length() + 16);
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (!isInvisible(c)) {
                text.append(c);
            } else if (c == '\n') {
                text.append("\\n");
            } else if (c == '\t') {
                text.append("\\t");
            } else {
                text.append(String.format("\\u%04x", (int) c));
            }
        }
        return text.toString();
    }

    private static boolean isInvisible(char c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR -> true;
            case Character.PARAGRAPH_SEPARATOR -> true;
            default -> false;
        };
    }

    /**
     * At most {@code length} characters. Parameters go first, then the outer packages, because the
     * end of a name says most.
     */
    static String shortened(String name, int length) {
        if (name.length() <= length) {
            return name;
        }
        int parameters = name.indexOf('(');
        String plain =
                parameters > 0 && name.endsWith(")")
                        ? name.substring(0, parameters) + "(" + ELLIPSIS + ")"
                        : name;
        if (plain.length() <= length) {
            return plain;
        }
        int start = plain.length() - Math.max(0, length - 1);
        if (start < plain.length() && Character.isLowSurrogate(plain.charAt(start))) {
            start++;
        }
        return ELLIPSIS + plain.substring(start);
    }
}
