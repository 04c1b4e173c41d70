package dev.heatline.formats.jfr;

/** Bytes that cannot be what the format promises. {@link Recording} adds file, chunk and offset. */
final class Damage extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String what;

    Damage(String what) {
        super(what, null, false, false);
        this.what = what;
    }

    /** What is wrong, as the rest of a sentence about the chunk. */
    String what() {
        return what;
    }
}
