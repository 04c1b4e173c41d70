package dev.heatline.store;

import dev.heatline.model.Resource;
import dev.heatline.model.RowSeconds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a stored profile has of a part of its time. Observations are in the second in which they
 * were made, spread evenly over it where the part has not all of that second. What was measured
 * with each of them, such as time or bytes, is divided among the observations of its row. What
 * nobody knows the second of is spread evenly, as in a {@link Timeline}.
 */
final class Excerpt {
    private static final int NO_ROW = -1;

    private final List<Resource> resources;
    private final TimePart part;
    private final List<BodyReader.Values> columns = new ArrayList<>();
    private final List<BodyReader.Seconds> known;

    Excerpt(List<Resource> resources, byte[] values, byte[] seconds, TimePart part) {
        this.resources = resources;
        this.part = part;
        BodyReader in = new BodyReader(values, BodyReader.Ids.SAME);
        in.bareLeaves();
        resources.forEach(_ -> columns.add(in.next()));
        known = in.seconds(seconds);
    }

    /** The rows of a column that have something of this part, in the ids of the dictionary. */
    BodyReader.Values column(int index) {
        BodyReader.Values whole = columns.get(index);
        long[] amounts = amounts(index, whole);
        int[] nodes = new int[amounts.length];
        int[] threads = new int[amounts.length];
        int rows = 0;
        for (int row = 0; row < amounts.length; row++) {
            if (amounts[row] > 0) {
                nodes[rows] = whole.nodes[row];
                threads[rows] = whole.threads[row];
                amounts[rows++] = amounts[row];
            }
        }
        return new BodyReader.Values(
                Arrays.copyOf(nodes, rows),
                Arrays.copyOf(threads, rows),
                Arrays.copyOf(amounts, rows));
    }

    private long[] amounts(int index, BodyReader.Values whole) {
        Observations observations = observations(index);
        long[] amounts = new long[whole.amounts.length];
        for (int row = 0; row < amounts.length; row++) {
            int observed = observations.row(whole.nodes[row], whole.threads[row]);
            amounts[row] =
                    observed == NO_ROW
                            ? part.share(whole.amounts[row], phase(row))
                            : amount(whole.amounts[row], observations.seconds, observed);
        }
        return amounts;
    }

    /** So different for neighbours that of many equal rows each part gets its share. */
    private static double phase(int row) {
        double golden = row * 0.6180339887498949;
        return golden - Math.floor(golden);
    }

    /** Those in the column itself, or else those that it was measured with. */
    private Observations observations(int index) {
        String occurrences = resources.get(index).occurrences();
        Observations found = new Observations(columns.get(index), RowSeconds.NONE);
        for (BodyReader.Seconds its : known) {
            Observations here = new Observations(columns.get(its.column()), its.seconds());
            if (its.column() == index) {
                return here;
            }
            found = resources.get(its.column()).name().equals(occurrences) ? here : found;
        }
        return found;
    }

    private long amount(long whole, RowSeconds seconds, int row) {
        long all = 0;
        long beforeFrom = 0;
        long beforeUntil = 0;
        for (int i = seconds.start(row); i < seconds.end(row); i++) {
            long second = seconds.second(i);
            long amount = seconds.amount(i);
            all += amount;
            beforeFrom += part.before(part.from(), second, amount, phase(i));
            beforeUntil += part.before(part.until(), second, amount, phase(i));
        }
        return share(whole, beforeUntil, all) - share(whole, beforeFrom, all);
    }

    private static long share(long whole, long some, long all) {
        if (whole == all) {
            return some;
        }
        return some == all ? whole : Math.min(whole, Math.round(whole * ((double) some / all)));
    }

    /**
     * The rows of a column and when they were observed, to be looked up in the order of contexts.
     * Mostly one is asked for after the other; in any case that takes no longer than there are
     * rows.
     */
    private static final class Observations {
        private final BodyReader.Values rows;
        private final RowSeconds seconds;
        private int next;

        /**
         * The rows of a context by thread, made when they are not asked for one after the other.
         */
        private final Map<Integer, Integer> byThread = new HashMap<>();

        private int context = -1;
        private int afterContext;

        private Observations(BodyReader.Values rows, RowSeconds seconds) {
            this.rows = rows;
            this.seconds = seconds;
        }

        /** The row of a context and thread; none if it is not known when that was observed. */
        int row(int wanted, int thread) {
            if (seconds.isEmpty()) {
                return NO_ROW;
            }
            boolean isNext =
                    next < rows.nodes.length
                            && rows.nodes[next] == wanted
                            && rows.threads[next] == thread;
            int row = isNext ? next : found(wanted, thread);
            if (row == NO_ROW) {
                return NO_ROW;
            }
            next = row + 1;
            return seconds.start(row) < seconds.end(row) ? row : NO_ROW;
        }

        private int found(int wanted, int thread) {
            if (context != wanted) {
                enter(wanted);
            }
            return byThread.getOrDefault(thread, NO_ROW);
        }

        private void enter(int wanted) {
            context = wanted;
            byThread.clear();
            while (afterContext < rows.nodes.length && rows.nodes[afterContext] <= wanted) {
                if (rows.nodes[afterContext] == wanted) {
                    byThread.put(rows.threads[afterContext], afterContext);
                }
                afterContext++;
            }
        }
    }
}
