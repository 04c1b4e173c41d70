package dev.heatline.model;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * Finds methods by what people write: {@code Class::method}, {@code pkg.Class.method}, with or
 * without parameters, inner classes by their simple name. Overloads are all found.
 */
public final class MethodFinder {
    private static final int SUGGESTIONS = 3;

    /** Where most edits are needed a name is no suggestion any more. */
    private static final double FARTHEST = 0.5;

    private MethodFinder() {}

    /**
     * The ids of all methods meant.
     *
     * @throws ModelException if there is none; suggests near names
     */
    public static List<Integer> find(Profile profile, String written) {
        String wanted = written.strip().replace("::", ".").replace(" ", "");
        List<Integer> found = new ArrayList<>();
        for (int id = 0; id < profile.consumerCount(); id++) {
            Consumer consumer = profile.consumerAt(id);
            if (consumer.isMethod() && (matches(consumer, wanted) || isNamed(consumer, written))) {
                found.add(id);
            }
        }
        if (found.isEmpty()) {
            throw new ModelException(
                    "no method " + written + " in this profile" + near(profile, wanted));
        }
        return found;
    }

    private static boolean isNamed(Consumer consumer, String written) {
        return consumer.display().equals(written);
    }

    private static boolean matches(Consumer consumer, String wanted) {
        String full =
                wanted.indexOf('(') < 0 ? qualified(consumer) : consumer.display().replace(" ", "");
        if (!full.endsWith(wanted)) {
            return false;
        }
        int before = full.length() - wanted.length() - 1;
        return before < 0 || full.charAt(before) == '.' || full.charAt(before) == '$';
    }

    private static String qualified(Consumer consumer) {
        return consumer.owner().isEmpty()
                ? consumer.name()
                : consumer.owner() + '.' + consumer.name();
    }

    private record Suggestion(String name, double distance) {}

    private static String near(Profile profile, String wanted) {
        String target = classAndMethod(wanted);
        List<Suggestion> suggestions = new ArrayList<>();
        for (int id = 0; id < profile.consumerCount(); id++) {
            Consumer consumer = profile.consumerAt(id);
            if (consumer.isMethod() && consumer.name().length() < 200) {
                String candidate = classAndMethod(qualified(consumer));
                double edits = editDistance(target, candidate);
                double distance = edits / Math.max(target.length(), candidate.length());
                if (distance < FARTHEST) {
                    suggestions.add(new Suggestion(qualified(consumer), distance));
                }
            }
        }
        suggestions.sort(
                Comparator.comparingDouble(Suggestion::distance).thenComparing(Suggestion::name));
        List<String> nearest =
                suggestions.stream().map(Suggestion::name).distinct().limit(SUGGESTIONS).toList();
        return nearest.isEmpty() ? "" : "; did you mean " + String.join(", ", nearest) + "?";
    }

    private static String classAndMethod(String qualified) {
        int open = qualified.indexOf('(');
        String name = open < 0 ? qualified : qualified.substring(0, open);
        int method = name.lastIndexOf('.');
        int type = Math.max(name.lastIndexOf('.', method - 1), name.lastIndexOf('$', method - 1));
        String last = name.substring(type + 1).toLowerCase(Locale.ROOT);
        return last.length() > 200 ? last.substring(0, 200) : last;
    }

    /** Levenshtein's distance, one row at a time. */
    private static int editDistance(String a, String b) {
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
