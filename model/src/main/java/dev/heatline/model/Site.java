package dev.heatline.model;

/**
 * Where in its method a frame stood, and how that code was running, packed into one {@code int}: 28
 * bits of line, 3 bits of {@link FrameKind}.
 *
 * <p>The line belongs to the frame itself: for an inner frame it is the call site of the next
 * frame, for the innermost frame the line that was executing.
 */
public final class Site {

    /** Line and kind unknown, or folded away. */
    public static final int NONE = 0;

    /** The largest line that fits; what is larger is recorded as unknown. */
    public static final int MAX_LINE = (1 << 28) - 1;

    private static final int KIND_BITS = 3;

    private Site() {}

    public static int of(int line, FrameKind kind) {
        return of(line, kind.code());
    }

    /** As {@link #of(int, FrameKind)}, for readers that hold the code. */
    public static int of(int line, int kindCode) {
        int known = line > 0 && line <= MAX_LINE ? line : 0;
        return known << KIND_BITS | kindCode;
    }

    /** The line, or 0 when it is unknown. */
    public static int line(int site) {
        return site >>> KIND_BITS;
    }

    public static FrameKind kind(int site) {
        return FrameKind.of(site & ((1 << KIND_BITS) - 1));
    }

    /** The same place with the line folded away. */
    public static int withoutLine(int site) {
        return site & ((1 << KIND_BITS) - 1);
    }

    /** The same place with the kind folded away. */
    public static int withoutKind(int site) {
        return site & ~((1 << KIND_BITS) - 1);
    }
}
