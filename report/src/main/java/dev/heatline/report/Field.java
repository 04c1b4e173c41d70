package dev.heatline.report;

import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/** A column of a table of text or HTML, and how its cells come from a row. */
sealed interface Field<R> {

    String heading();

    /** What the cell of this row reads. */
    String cell(R row);

    /** What writes the cell of this row. */
    default Field<R> in(R row) {
        return this;
    }

    /** Words, to the left. */
    record Words<R>(String heading, Function<R, String> of) implements Field<R> {
        @Override
        public String cell(R row) {
            return VisibleText.of(of.apply(row));
        }
    }

    /** A plain number. */
    record Count<R>(String heading, ToLongFunction<R> of) implements Field<R> {
        @Override
        public String cell(R row) {
            return Long.toString(of.applyAsLong(row));
        }
    }

    /** Any other figure, already written. */
    record Figure<R>(String heading, Function<R, String> of) implements Field<R> {
        @Override
        public String cell(R row) {
            return of.apply(row);
        }
    }

    /** A value in stored units, written in the unit of the report. */
    record Amount<R>(String name, Scale scale, ToLongFunction<R> of) implements Field<R> {
        @Override
        public String heading() {
            return name + ' ' + scale.unit();
        }

        @Override
        public String cell(R row) {
            return scale.format(of.applyAsLong(row));
        }
    }

    /** A share from 0 to 1, written in percent. */
    record Percent<R>(String name, ToDoubleFunction<R> of) implements Field<R> {
        @Override
        public String heading() {
            return name.isEmpty() ? "%" : name + " %";
        }

        @Override
        public String cell(R row) {
            return percent(of.applyAsDouble(row));
        }
    }

    /**
     * Another one, which knows nothing of calls that were counted only: with such calls, what was
     * used is at least what is known, and nothing is known where that is 0.
     */
    record Timed<R>(Field<R> field, ToLongFunction<R> countedOnly, ToLongFunction<R> used)
            implements Field<R> {
        @Override
        public String heading() {
            return field.heading();
        }

        @Override
        public Field<R> in(R row) {
            return countedOnly.applyAsLong(row) == 0 ? field : this;
        }

        @Override
        public String cell(R row) {
            if (countedOnly.applyAsLong(row) == 0) {
                return field.cell(row);
            }
            return used.applyAsLong(row) == 0 ? UNKNOWN : AT_LEAST + field.cell(row);
        }
    }

    String UNKNOWN = "–";
    String AT_LEAST = ">";

    static String percent(double share) {
        return String.format(Locale.ROOT, "%.2f", share * 100);
    }
}
