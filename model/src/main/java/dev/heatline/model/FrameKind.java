package dev.heatline.model;

/** How the code of a frame was running when it was seen. In the order of their codes. */
public enum FrameKind {
    UNKNOWN(0, "unknown"),
    INTERPRETED(1, "interpreted"),
    COMPILED(2, "compiled"),
    INLINED(3, "inlined"),
    NATIVE(4, "native"),
    KERNEL(5, "kernel"),
    VM(6, "vm"),
    C1_COMPILED(7, "c1-compiled");

    private static final FrameKind[] KINDS = values();

    private final int code;
    private final String label;

    FrameKind(int code, String label) {
        this.code = code;
        this.label = label;
    }

    /** The number that stands for this kind in a {@link Site} and in files: 0 to 7, for good. */
    public int code() {
        return code;
    }

    public String label() {
        return label;
    }

    /** The kind with this code, which must be 0 to 7. */
    public static FrameKind of(int code) {
        return KINDS[code];
    }
}
