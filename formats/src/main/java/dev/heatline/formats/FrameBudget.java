package dev.heatline.formats;

/**
 * How many frames a file may ask for. Where a sample refers to locations and a location to lines, a
 * small file can describe stacks without end: a hundred thousand references to a location of a
 * hundred thousand lines.
 */
final class FrameBudget {

    /** The deepest stack that is read, far beyond what any thread can hold. */
    static final int MAX_DEPTH = 1_000_000;

    /** A reference takes a byte, and no compiler inlines this deep everywhere. */
    private static final long FRAMES_PER_BYTE = 64;

    private long left;

    FrameBudget(long inputBytes) {
        left = MAX_DEPTH + inputBytes * FRAMES_PER_BYTE;
    }

    /**
     * The depth of a stack after more frames.
     *
     * @throws FormatException if that is too deep, or if all stacks together have too many frames
     */
    int deeper(int depth, int more) {
        if (more > MAX_DEPTH - depth) {
            throw new FormatException("a stack has more than " + MAX_DEPTH + " frames");
        }
        left -= more;
        if (left < 0) {
            throw new FormatException("the stacks have more frames than a file of its size tells");
        }
        return depth + more;
    }
}
