package dev.heatline.report;

/**
 * Names come from the profiled program and may hold anything. Here they become one line that shows
 * what it holds: control characters, those that reorder text and those that cannot be encoded are
 * written as escapes, so that a name can neither drive a terminal nor pass for another one.
 */
final class VisibleText {

    private static final String ELLIPSIS = "…";

    private VisibleText() {}

    static String of(String name) {
        for (int i = 0; i < name.length(); i++) {
            if (isInvisible(name, i)) {
                return escaped(name);
            }
        }
        return name;
    }

    private static String escaped(String name) {
        StringBuilder text = new StringBuilder(name.length() + 16);
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (!isInvisible(name, i)) {
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

    private static boolean isInvisible(String name, int at) {
        char c = name.charAt(at);
        return switch (Character.getType(c)) {
            case Character.CONTROL, Character.FORMAT -> true;
            case Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> true;
            case Character.SURROGATE -> isHalf(name, at);
            default -> false;
        };
    }

    /** Whether this surrogate has no partner: no encoder can write it. */
    private static boolean isHalf(String name, int at) {
        return Character.isHighSurrogate(name.charAt(at))
                ? at + 1 == name.length() || !Character.isLowSurrogate(name.charAt(at + 1))
                : at == 0 || !Character.isHighSurrogate(name.charAt(at - 1));
    }

    /**
     * At most {@code length} characters. Parameters go first, then the outer packages, because the
     * end of a name says most. So does the end of a path, which is several names with blanks.
     */
    static String shortened(String name, int length) {
        if (name.length() <= length) {
            return name;
        }
        int parameters = name.indexOf('(');
        String plain =
                parameters > 0 && name.endsWith(")") && name.indexOf(' ') < 0
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
