package dev.heatline.cli;

/** What a command tells the shell it ran in. */
final class Exit {
    static final int DONE = 0;

    /** One line on standard error says why and what to do. */
    static final int FAILED = 1;

    static final int WRONG_USAGE = 2;

    /** The work was done, and its result is not what was demanded. */
    static final int GATE_NOT_MET = 3;

    private Exit() {}
}
