package dev.heatline.formats;

/** Finds the JVM descriptor at the end of a written method, {@code |} allowed for {@code ;}. */
final class Descriptors {

    private Descriptors() {}

    /** Where the descriptor starts, or -1 if the text does not end in one. */
    static int find(String text) {
        int open = text.indexOf('(');
        return open > 0 && isDescriptor(text, open) ? open : -1;
    }

    private static boolean isDescriptor(String text, int open) {
        int at = open + 1;
        while (at > 0 && at < text.length() && text.charAt(at) != ')') {
            at = afterType(text, at);
        }
        if (at <= 0 || at + 1 >= text.length()) {
            return false;
        }
        int result = at + 1;
        boolean isVoid = text.charAt(result) == 'V' && result + 1 == text.length();
        return isVoid || afterType(text, result) == text.length();
    }

    /** Where the type that starts here ends, or -1 if there is none. */
    private static int afterType(String text, int start) {
        int at = start;
        while (at < text.length() && text.charAt(at) == '[') {
            at++;
        }
        if (at >= text.length()) {
            return -1;
        }
        char tag = text.charAt(at);
        if (tag != 'L') {
            return "ZBCSIJFD".indexOf(tag) >= 0 ? at + 1 : -1;
        }
        int end = at + 1;
        while (end < text.length() && text.charAt(end) != ';' && text.charAt(end) != '|') {
            end++;
        }
        return end > at + 1 && end < text.length() ? end + 1 : -1;
    }
}
