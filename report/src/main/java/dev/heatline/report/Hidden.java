package dev.heatline.report;

import java.math.BigDecimal;
import tools.jackson.core.JsonGenerator;

/** Counts what pruning hides: rows whose cum is less than a share of the total. */
final class Hidden {
    private final Measurement measured;
    private final double share;
    private long rows;
    private long amount;

    Hidden(Measurement measured, double share) {
        this.measured = measured;
        this.share = share;
    }

    /** Whether a row with this cum is to be shown. */
    boolean keeps(long cum) {
        return cum >= share * measured.total();
    }

    /** Whether this row is to be shown; if not, it is counted. */
    boolean keeps(Usage row) {
        if (!keeps(row.cum())) {
            add(1, row.base());
            return false;
        }
        return true;
    }

    /** Counts rows that are not shown, and what they used by themselves. */
    void add(long hiddenRows, long used) {
        rows += hiddenRows;
        amount += used;
    }

    /** Says what was hidden; empty if nothing was. */
    String note(String what) {
        return rows == 0
                ? ""
                : plural(rows, what)
                        + " below "
                        + percent()
                        + " % hidden; their base is "
                        + Field.percent(measured.share(amount))
                        + " %";
    }

    private String percent() {
        return BigDecimal.valueOf(share).movePointRight(2).stripTrailingZeros().toPlainString();
    }

    /**
     * Writes what is missing as properties of the open object; nothing if all is there.
     *
     * @param leftOut how many rows a limit left out
     */
    void json(JsonGenerator out, int leftOut) {
        if (share > 0) {
            out.writeNumberProperty("prune", share);
            out.writeNumberProperty("hidden", rows);
        }
        if (leftOut > 0) {
            out.writeNumberProperty("leftOut", leftOut);
        }
    }

    static String plural(long count, String what) {
        if (count == 1) {
            return "1 " + what;
        }
        return Head.grouped(count) + ' ' + what + (what.endsWith("s") ? "es" : "s");
    }
}
