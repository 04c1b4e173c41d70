package dev.heatline.formats.jfr;

/** The byte in front of every string that says how it is written. */
final class Text {
    static final byte NULL = 0;
    static final byte EMPTY = 1;

    /** An id in the pool of {@code java.lang.String} follows. */
    static final byte POOLED = 2;

    static final byte UTF_8 = 3;

    /** One integer per char. */
    static final byte CHARS = 4;

    static final byte LATIN_1 = 5;

    private Text() {}
}
