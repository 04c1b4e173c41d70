package dev.heatline.shop;

import java.util.List;

/**
 * Which discount a basket gets. Known trouble: indirect recursion, {@link #applies} through {@link
 * #all} and {@link #any} back to itself.
 */
final class Discounts {
    private static final int DEPTH = 14;

    /** Something that must hold of a basket. */
    private interface Rule {}

    private record AtLeast(long cents) implements Rule {}

    private record Pieces(int pieces) implements Rule {}

    private record All(List<Rule> rules) implements Rule {}

    private record Any(List<Rule> rules) implements Rule {}

    private final List<Rule> levels =
            List.of(rule(DEPTH, 5_000), rule(DEPTH, 20_000), rule(DEPTH, 80_000));

    /** A rule for baskets from some value on, with exceptions within exceptions. */
    private static Rule rule(int depth, long cents) {
        if (depth == 0) {
            return new AtLeast(cents);
        }
        Rule inner = rule(depth - 1, cents);
        Rule dearer = rule(depth - 1, cents * 2);
        return depth % 2 == 0
                ? new All(List.of(new Pieces(1), inner, new Any(List.of(dearer, inner))))
                : new Any(List.of(dearer, inner));
    }

    /** Percent off: five for each level that a basket reaches. */
    int percent(long cents, int pieces) {
        int percent = 0;
        for (Rule level : levels) {
            percent += applies(level, cents, pieces) ? 5 : 0;
        }
        return percent;
    }

    private boolean applies(Rule rule, long cents, int pieces) {
        if (rule instanceof All all) {
            return all(all.rules(), cents, pieces);
        }
        if (rule instanceof Any any) {
            return any(any.rules(), cents, pieces);
        }
        if (rule instanceof Pieces wanted) {
            return pieces >= wanted.pieces();
        }
        return cents >= ((AtLeast) rule).cents();
    }

    private boolean all(List<Rule> rules, long cents, int pieces) {
        for (Rule rule : rules) {
            if (!applies(rule, cents, pieces)) {
                return false;
            }
        }
        return true;
    }

    private boolean any(List<Rule> rules, long cents, int pieces) {
        for (Rule rule : rules) {
            if (applies(rule, cents, pieces)) {
                return true;
            }
        }
        return false;
    }
}
