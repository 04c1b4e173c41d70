package dev.heatline.cli;

/** What a verb does once picocli has filled in its options. */
interface Action {

    /**
     * Returns one of the codes in {@link Exit}. What a user can mend is thrown; see {@link Main}.
     */
    int run();
}
