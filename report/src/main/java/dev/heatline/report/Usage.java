package dev.heatline.report;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
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

    /** How many of the calls were not timed: base and cum are those of the others. */
    long countedOnly();

    /**
     * The columns every view of usages has. Occurrences are left out where they say nothing: when
     * they were not recorded, and when they are what base and cum already count.
     */
    static <R extends Usage> List<Field<R>> fields(Measurement measured) {
        List<Field<R>> fields = new ArrayList<>();
        if (measured.counted() && !measured.resource().isOccurrences()) {
            fields.add(new Field.Count<>(measured.resource().occurrences(), Usage::calls));
        }
        fields.add(timed(new Field.Amount<>("base", measured.scale(), Usage::base), Usage::base));
        fields.add(
                timed(new Field.Percent<>("base", row -> measured.share(row.base())), Usage::base));
        fields.add(timed(new Field.Amount<>("cum", measured.scale(), Usage::cum), Usage::cum));
        fields.add(timed(new Field.Percent<>("cum", row -> measured.share(row.cum())), Usage::cum));
        return fields;
    }

    private static <R extends Usage> Field<R> timed(Field<R> field, ToLongFunction<R> used) {
        return new Field.Timed<>(field, Usage::countedOnly, used);
    }

    /** Writes the numbers of a row as properties of the open object. */
    static void json(JsonGenerator out, Measurement measured, Usage row) {
        if (measured.counted()) {
            out.writeNumberProperty("calls", row.calls());
        }
        if (row.countedOnly() > 0) {
            out.writeNumberProperty("countedOnly", row.countedOnly());
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
