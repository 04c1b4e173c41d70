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

    /** So many names are compared exactly, those that look nearest. */
    private static final int COMPARED = 500;

    /** Letters are told apart as far as this allows. */
    private static final int LETTERS = 64;

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
        for (String name : nearest(target, names)) {
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

    /** Those that could be near by the letters they have. O(names). */
    private static List<String> nearest(String target, Collection<String> names) {
        List<Suggestion> near = new ArrayList<>();
        for (String name : names) {
            String end = end(name);
            double least = part(strangers(target, end), target, end);
            if (least <= FARTHEST || holds(end, target)) {
                near.add(new Suggestion(name, least));
            }
        }
        return near.stream()
                .sorted(Comparator.comparingDouble(Suggestion::distance))
                .limit(COMPARED)
                .map(Suggestion::name)
                .toList();
    }

    /** How many letters one has and the other has not: there are no fewer edits. O(lengths). */
    private static int strangers(String a, String b) {
        int[] letters = new int[LETTERS];
        for (int i = 0; i < a.length(); i++) {
            letters[a.charAt(i) % LETTERS]++;
        }
        for (int i = 0; i < b.length(); i++) {
            letters[b.charAt(i) % LETTERS]--;
        }
        int more = 0;
        int fewer = 0;
        for (int difference : letters) {
            more += Math.max(0, difference);
            fewer += Math.max(0, -difference);
        }
        return Math.max(more, fewer);
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
        double part = part(edits(a, b), a, b);
        return holds(b, a) ? Math.min(part, FARTHEST) : part;
    }

    private static boolean holds(String name, String wanted) {
        return wanted.length() > 2 && name.contains(wanted);
    }

    private static double part(int edits, String a, String b) {
        return (double) edits / Math.max(1, Math.max(a.length(), b.length()));
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
