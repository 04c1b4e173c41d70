package dev.heatline.model;

/** How the code of a frame was running when it was seen. */
public enum FrameKind {
    UNKNOWN("unknown"),
    INTERPRETED("interpreted"),
    COMPILED("compiled"),
    INLINED("inlined"),
    NATIVE("native"),
    KERNEL("kernel"),
    VM("vm"),
    C1_COMPILED("c1-compiled");

    private static final FrameKind[] KINDS = values();

    private final String label;

    FrameKind(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }

    /** The kind with this ordinal, which must be 0 to 7. */
    public static FrameKind of(int ordinal) {
        return KINDS[ordinal];
    }
}
