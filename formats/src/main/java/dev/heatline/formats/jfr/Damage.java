package dev.heatline.formats.jfr;

/** Bytes that cannot be what the format promises. {@link Recording} adds file, chunk and offset. */
final class Damage extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Damage(String message) {
        super(message, null, false, false);
    }
}
