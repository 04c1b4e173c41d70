package dev.heatline.model;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Suggests what somebody may have meant by a name that does not exist. */
public final class NearNames {
    private static final int SUGGESTIONS = 3;

    /** Where more than this part of a name must be edited it is no suggestion any more. */
    private static final double FARTHEST = 0.4;

    /** Longer names are compared by their ends, where they differ. */
    private static final int LONGEST = 120;

    private NearNames() {}

    private record Suggestion(String name, double distance) {}

    /**
     * The end of a message: {@code "; did you mean a, b?"}, or nothing if no name is near.
     *
     * @param names compared by their last two parts, so that packages do not matter
     */
    public static String suggest(String wanted, Collection<String> names) {
        String target = end(wanted);
        List<Suggestion> suggestions = new ArrayList<>();
        for (String name : names) {
            double distance = distance(target, end(name));
            if (distance <= FARTHEST) {
                suggestions.add(new Suggestion(name, distance));
            }
        }
        suggestions.sort(
                Comparator.comparingDouble(Suggestion::distance).thenComparing(Suggestion::name));
        List<String> nearest =
                suggestions.stream().map(Suggestion::name).distinct().limit(SUGGESTIONS).toList();
        return nearest.isEmpty() ? "" : "; did you mean " + String.join(", ", nearest) + "?";
    }

    /** The last two parts in lower case, without parameters. */
    private static String end(String name) {
        int open = name.indexOf('(');
        String plain = open < 0 ? name : name.substring(0, open);
        int last = plain.lastIndexOf('.');
        int before = Math.max(plain.lastIndexOf('.', last - 1), plain.lastIndexOf('$', last - 1));
        String end = plain.substring(before + 1).toLowerCase(Locale.ROOT);
        return end.length() <= LONGEST ? end : end.substring(end.length() - LONGEST);
    }

    /** The edits needed, as a part of the longer name; a name that holds the other is nearer. */
    private static double distance(String a, String b) {
        double part = (double) edits(a, b) / Math.max(1, Math.max(a.length(), b.length()));
        return a.length() > 2 && b.contains(a) ? Math.min(part, FARTHEST) : part;
    }

    /** Levenshtein's distance, one row at a time. O(product of the lengths). */
    private static int edits(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int substitute = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(substitute, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[b.length()];
    }
}
