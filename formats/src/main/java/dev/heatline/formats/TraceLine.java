package dev.heatline.formats;

import org.jspecify.annotations.Nullable;

/**
 * A line of an event trace taken apart.
 *
 * @param reading a decimal number as written
 * @param event one of the constants, or {@link #READING} if the reading stands alone
 * @param name of the consumer or thread, as written
 */
record TraceLine(String reading, char event, String name) {
    static final char START = '>';
    static final char END = '<';
    static final char THREAD = '@';
    static final char READING = ' ';

    static final String RESOURCE = "#resource";
    static final String CONSUMER = "#consumer";
    static final String OCCURRENCES = "#occurrences";

    static boolean isNothing(String line) {
        return line.isBlank() || (line.startsWith("#") && !isBinding(line));
    }

    static boolean isBinding(String line) {
        return value(line, RESOURCE) != null
                || value(line, CONSUMER) != null
                || value(line, OCCURRENCES) != null;
    }

    /** What a binding binds to, or null if this line is another one. */
    static @Nullable String value(String line, String binding) {
        boolean is =
                line.startsWith(binding)
                        && (line.length() == binding.length()
                                || Character.isWhitespace(line.charAt(binding.length())));
        return is ? line.substring(binding.length()).strip() : null;
    }

    static boolean isEvent(String line) {
        TraceLine event = parse(line);
        return event != null && event.event != READING && isDecimal(event.reading);
    }

    /** The parts of an event, or null if it does not have them. */
    static @Nullable TraceLine parse(String line) {
        String text = line.strip();
        int end = 0;
        while (end < text.length() && !Character.isWhitespace(text.charAt(end))) {
            end++;
        }
        String reading = text.substring(0, end);
        String rest = text.substring(end).strip();
        if (rest.isEmpty()) {
            return new TraceLine(reading, READING, "");
        }
        char event = rest.charAt(0);
        String name = rest.substring(1).strip();
        boolean known = event == START || event == END || event == THREAD;
        return known && !name.isEmpty() ? new TraceLine(reading, event, name) : null;
    }

    /** How many digits follow the point. */
    int decimals() {
        int point = reading.indexOf('.');
        return point < 0 ? 0 : reading.length() - point - 1;
    }

    /** An optional minus sign, digits, and a point with digits around it where there is one. */
    static boolean isDecimal(String text) {
        int at = text.startsWith("-") ? 1 : 0;
        int digits = 0;
        int points = 0;
        for (; at < text.length(); at++) {
            char c = text.charAt(at);
            if (c == '.') {
                points++;
            } else if (c >= '0' && c <= '9') {
                digits++;
            } else {
                return false;
            }
        }
        return digits > 0 && points <= 1;
    }
}
