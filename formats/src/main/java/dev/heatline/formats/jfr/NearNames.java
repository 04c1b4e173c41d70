package dev.heatline.formats.jfr;

import java.util.Locale;

/** Which names somebody may have meant. */
final class NearNames {
    private static final int MAX_EDITS = 3;

    private NearNames() {}

    /** Whether one simple name holds the other, or few edits lead from one to the other. */
    static boolean isNear(String wanted, String existing) {
        String a = simple(wanted);
        String b = simple(existing);
        return !a.isEmpty()
                && (b.contains(a) || edits(a, b) <= Math.min(MAX_EDITS, a.length() / 3));
    }

    private static String simple(String name) {
        return name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    }

    /** Levenshtein's distance. O(product of the lengths). */
    private static int edits(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int substituted = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(substituted, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }
}
