package dev.heatline.agent.calls;

import dev.heatline.agent.boot.RootTimes;

/**
 * Calls of one root that were timed up to a moment, or between two.
 *
 * @param nanos what they took together
 * @param squares the sum of the squares of what each took
 */
record TimedCalls(long calls, double nanos, double squares) {
    /** Fewer do not tell whether what comes later takes longer. */
    private static final int FEW = 5;

    /** For how long they ran. */
    static TimedCalls running(RootTimes times, int root) {
        return new TimedCalls(
                times.calls(root), times.runningNanos(root), times.runningSquares(root));
    }

    /** For how long they did not. */
    static TimedCalls idle(RootTimes times, int root) {
        return new TimedCalls(times.calls(root), times.idleNanos(root), times.idleSquares(root));
    }

    TimedCalls since(TimedCalls before) {
        return new TimedCalls(calls - before.calls, nanos - before.nanos, squares - before.squares);
    }

    double mean() {
        return nanos / Math.max(1, calls);
    }

    /** The standard deviation of one. */
    double spread() {
        double square = calls < 2 ? 0 : (squares - nanos * mean()) / (calls - 1);
        return Math.sqrt(Math.max(0, square));
    }

    /**
     * The standard error of the mean, as far as both halves agree: calls that follow each other may
     * be alike, and become shorter while the compilers work on them.
     */
    double error(TimedCalls firstHalf) {
        TimedCalls second = since(firstHalf);
        double error = spread() / Math.sqrt((double) Math.max(1, calls));
        return firstHalf.calls < FEW || second.calls < FEW
                ? error
                : Math.max(error, Math.abs(firstHalf.mean() - second.mean()) / 2);
    }

    /** Whether those of the first half took notably longer than the others. */
    boolean becomesShorter(TimedCalls firstHalf, double part) {
        TimedCalls second = since(firstHalf);
        return firstHalf.calls >= FEW
                && second.calls >= FEW
                && firstHalf.mean() > (1 + part) * second.mean();
    }
}
