package dev.heatline.formats;

import java.util.HexFormat;

/**
 * Keeps characters that a line of text cannot hold: each becomes U+241B (the visible symbol for
 * escape) and four hex digits. Usual escapes such as a backslash or a percent sign would change
 * names in files of other tools, which use those characters freely; nothing uses this one.
 */
final class Escapes {

    static final char ESCAPE = '\u241B';

    /** Stands between the fields of a consumer; see {@link ConsumerText}. */
    static final char FIELD = '\u241F';

    private static final HexFormat HEX = HexFormat.of();

    private Escapes() {}

    /** The text without control characters, lone surrogates, marks of ours and {@code others}. */
    static String escape(String text, String others) {
        int at = firstSpecial(text, others);
        if (at == text.length()) {
            return text;
        }
        StringBuilder escaped = new StringBuilder(text.length() + 16).append(text, 0, at);
        for (; at < text.length(); at++) {
            char c = text.charAt(at);
            if (isSpecial(text, at, others)) {
                escaped.append(hex(c));
            } else {
                escaped.append(c);
            }
        }
        return escaped.toString();
    }

    /** Text already escaped, so that no blank stands at either end. */
    static String escapeEdges(String text) {
        String edged = text.startsWith(" ") ? hex(' ') + text.substring(1) : text;
        return edged.endsWith(" ") ? edged.substring(0, edged.length() - 1) + hex(' ') : edged;
    }

    /** The inverse of {@link #escape}. What does not look like an escape of ours stays. */
    static String unescape(String text) {
        int at = text.indexOf(ESCAPE);
        if (at < 0) {
            return text;
        }
        StringBuilder plain = new StringBuilder(text.length()).append(text, 0, at);
        for (; at < text.length(); at++) {
            char c = text.charAt(at);
            if (c == ESCAPE && isEscaped(text, at + 1)) {
                plain.append((char) HexFormat.fromHexDigits(text, at + 1, at + 5));
                at += 4;
            } else {
                plain.append(c);
            }
        }
        return plain.toString();
    }

    private static String hex(char c) {
        return ESCAPE + HEX.toHexDigits(c);
    }

    private static boolean isEscaped(String text, int digitsAt) {
        if (digitsAt + 4 > text.length()) {
            return false;
        }
        for (int i = digitsAt; i < digitsAt + 4; i++) {
            if (!HexFormat.isHexDigit(text.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private static int firstSpecial(String text, String others) {
        int at = 0;
        while (at < text.length() && !isSpecial(text, at, others)) {
            at++;
        }
        return at;
    }

    private static boolean isSpecial(String text, int at, String others) {
        char c = text.charAt(at);
        return Character.isISOControl(c)
                || c == ESCAPE
                || c == FIELD
                || (Character.isSurrogate(c) && !isPaired(text, at))
                || others.indexOf(c) >= 0;
    }

    private static boolean isPaired(String text, int at) {
        char c = text.charAt(at);
        return Character.isHighSurrogate(c)
                ? at + 1 < text.length() && Character.isLowSurrogate(text.charAt(at + 1))
                : at > 0 && Character.isHighSurrogate(text.charAt(at - 1));
    }
}
