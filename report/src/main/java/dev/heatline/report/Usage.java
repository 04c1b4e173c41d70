package dev.heatline.report;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JsonGenerator;

/** What one row of xprof, xarc or xtree says of its consumer (004, "Arcflow reports"). */
public interface Usage {

    /** The consumer as people read it. */
    String name();

    /** How often it occurred. */
    long calls();

    /** What it used by itself, in stored units. */
    long base();

    /** What it and all below it used, in stored units; recursion counts nothing twice. */
    long cum();

    /** Whether it was found below itself. */
    boolean recursive();

    /**
     * The columns every view of usages has. Occurrences are left out where they say nothing: when
     * they were not recorded, and when they are what base and cum already count.
     */
    static <R extends Usage> List<Field<R>> fields(Measurement measured) {
        List<Field<R>> fields = new ArrayList<>();
        if (measured.counted() && !measured.resource().isOccurrences()) {
            fields.add(new Field.Count<>(measured.resource().occurrences(), Usage::calls));
        }
        fields.add(new Field.Amount<>("base", measured.scale(), Usage::base));
        fields.add(new Field.Percent<>("base", row -> measured.share(row.base())));
        fields.add(new Field.Amount<>("cum", measured.scale(), Usage::cum));
        fields.add(new Field.Percent<>("cum", row -> measured.share(row.cum())));
        return fields;
    }

    /** Writes the numbers of a row as properties of the open object. */
    static void json(JsonGenerator out, Measurement measured, Usage row) {
        if (measured.counted()) {
            out.writeNumberProperty("calls", row.calls());
        }
        out.writeNumberProperty("base", measured.exact(row.base()));
        out.writeNumberProperty("cum", measured.exact(row.cum()));
        out.writeNumberProperty("basePercent", measured.percent(row.base()));
        out.writeNumberProperty("cumPercent", measured.percent(row.cum()));
        if (row.recursive()) {
            out.writeBooleanProperty("recursive", true);
        }
    }
}
