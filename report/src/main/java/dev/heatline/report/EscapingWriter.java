package dev.heatline.report;

import java.io.FilterWriter;
import java.io.IOException;
import java.io.Writer;

/**
 * Writes JSON so that it survives where it is put. What it escapes occurs in the strings of JSON
 * only, where an escape means the same: halves of surrogate pairs, which no encoder accepts, and
 * inside a script element also the characters that could end or break it.
 */
final class EscapingWriter extends FilterWriter {
    private static final char NONE = 0;

    private final boolean inScript;
    private char high = NONE;

    private EscapingWriter(Writer out, boolean inScript) {
        super(out);
        this.inScript = inScript;
    }

    static EscapingWriter plain(Writer out) {
        return new EscapingWriter(out, false);
    }

    static EscapingWriter inScript(Writer out) {
        return new EscapingWriter(out, true);
    }

    @Override
    public void write(int c) throws IOException {
        char next = (char) c;
        if (high != NONE) {
            char first = high;
            high = NONE;
            if (Character.isLowSurrogate(next)) {
                out.write(first);
                out.write(next);
                return;
            }
            escape(first);
        }
        if (Character.isHighSurrogate(next)) {
            high = next;
        } else if (isSpecial(next)) {
            escape(next);
        } else {
            out.write(next);
        }
    }

    @Override
    public void write(char[] chars, int offset, int length) throws IOException {
        int plain = offset;
        int end = offset + length;
        for (int i = offset; i < end; i++) {
            if (high != NONE || Character.isHighSurrogate(chars[i]) || isSpecial(chars[i])) {
                out.write(chars, plain, i - plain);
                write(chars[i]);
                plain = i + 1;
            }
        }
        out.write(chars, plain, end - plain);
    }

    @Override
    public void write(String text, int offset, int length) throws IOException {
        write(text.toCharArray(), offset, length);
    }

    private boolean isSpecial(char c) {
        return Character.isLowSurrogate(c)
                || (inScript && (c == '<' || c == '\u2028' || c == '\u2029'));
    }

    private void escape(char c) throws IOException {
        out.write(String.format("\\u%04x", (int) c));
    }
}
