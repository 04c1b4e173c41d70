package dev.heatline.report;

import java.util.List;

/**
 * The first rows of a report, and how many follow them.
 *
 * @param rows what is shown
 * @param leftOut how many more there are
 */
record Shown<R>(List<R> rows, int leftOut) {

    static <R> Shown<R> of(List<R> all, int limit) {
        int count = Math.min(limit, all.size());
        return new Shown<>(all.subList(0, count), all.size() - count);
    }

    /** Says what was left out; empty if nothing was. */
    String note(String what) {
        return leftOut == 0
                ? ""
                : "the first "
                        + Head.grouped(rows.size())
                        + " of "
                        + Hidden.plural((long) rows.size() + leftOut, what)
                        + " (limit 0 shows all)";
    }
}
