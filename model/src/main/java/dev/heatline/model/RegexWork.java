package dev.heatline.model;

/**
 * How much a regular expression can do without looking at a character: repeat what is empty, and
 * try alternatives that are. That is the only work {@link Regex} cannot count while it is done, so
 * it is counted before, from the expression itself.
 *
 * <p>What takes a character looks at one, or ends a path where none is left. So each part of an
 * expression has a number of ways through it that take none, and a number of ways from a character
 * in it to its end; what follows is tried once for each of them.
 */
final class RegexWork {

    /** More than any expression may have; larger numbers are not told apart. */
    private static final double MOST = 1e12;

    /** What matches between two characters. */
    private static final String ANCHORS = "bBAGZz";

    /** Escapes that are followed by more in braces. */
    private static final String BRACED = "pPxN";

    private static final String QUOTE = "\\Q";
    private static final String UNQUOTE = "\\E";

    /** Places before a name's end that looking back may begin at, about. */
    private static final double PLACES_BEFORE = 100;

    /**
     * A part of an expression.
     *
     * @param ways through it that take no character
     * @param steps for all of them
     * @param waysOut from behind a character in it to its end
     * @param stepsOut for all of them
     * @param most steps between two characters in it
     */
    private record Part(double ways, double steps, double waysOut, double stepsOut, double most) {
        static final Part CHARACTER = new Part(0, 1, 1, 0, 1);
        static final Part NOTHING = new Part(1, 1, 0, 0, 1);
        static final Part NEVER = new Part(0, 0, 0, 0, 0);

        /** What was matched before, which may have been nothing. */
        static final Part REPEAT = NOTHING.or(CHARACTER);

        Part then(Part next) {
            double stepsBoth = steps + ways * next.steps;
            double stepsAcross = stepsOut + waysOut * next.steps;
            return part(
                    ways * next.ways,
                    stepsBoth,
                    Math.max(next.waysOut, waysOut * next.ways),
                    Math.max(next.stepsOut, stepsAcross),
                    Math.max(Math.max(most, next.most), Math.max(stepsBoth, stepsAcross)));
        }

        Part or(Part other) {
            return part(
                    ways + other.ways,
                    steps + other.steps,
                    waysOut + other.waysOut,
                    stepsOut + other.stepsOut,
                    Math.max(Math.max(most, other.most), steps + other.steps));
        }

        Part repeated(double least, double times) {
            if (times == 0) {
                return NOTHING;
            }
            // Each repetition is tried once for each way through those before it.
            double all = Math.min(MOST, Math.pow(ways, times));
            double tries = ways == 1 ? times : (1 - all) / (1 - ways);
            double through = ways == 0 ? 0 : all + times - least;
            double stepsIn = 1 + steps * tries;
            double stepsAfter = stepsOut + waysOut * stepsIn;
            return part(
                    through + (least == 0 ? 1 : 0),
                    stepsIn,
                    waysOut * Math.max(1, through),
                    stepsAfter,
                    Math.max(most, Math.max(stepsIn, stepsAfter)));
        }

        /** Takes no character, whatever is in it. */
        Part lookedFor(double places) {
            return part(1, 1 + places * steps, waysOut, stepsOut, Math.max(most, places * steps));
        }

        private static Part part(
                double ways, double steps, double waysOut, double stepsOut, double most) {
            return new Part(
                    Math.min(MOST, ways),
                    Math.min(MOST, steps),
                    Math.min(MOST, waysOut),
                    Math.min(MOST, stepsOut),
                    Math.min(MOST, most));
        }
    }

    private final String regex;
    private int at;

    private RegexWork(String regex) {
        this.regex = regex;
    }

    /**
     * How many steps an expression may take between two characters, about.
     *
     * @param regex one that compiles
     */
    static double of(String regex) {
        RegexWork work = new RegexWork(regex);
        Part all = Part.NEVER;
        while (work.hasMore()) {
            // A parenthesis too many would have been an error before.
            all = all.or(work.alternatives());
            work.at++;
        }
        return all.most;
    }

    private boolean hasMore() {
        return at < regex.length();
    }

    private boolean is(char wanted) {
        return hasMore() && regex.charAt(at) == wanted;
    }

    /** Up to the parenthesis that closes them. */
    private Part alternatives() {
        Part all = Part.NEVER;
        Part sequence = Part.NOTHING;
        while (hasMore() && !is(')')) {
            if (is('|')) {
                at++;
                all = all.or(sequence);
                sequence = Part.NOTHING;
            } else {
                sequence = sequence.then(quantified(atom()));
            }
        }
        return all.or(sequence);
    }

    private Part atom() {
        char c = regex.charAt(at++);
        return switch (c) {
            case '(' -> group();
            case '[' -> {
                skipClass();
                yield Part.CHARACTER;
            }
            case '\\' -> escape();
            case '^', '$' -> Part.NOTHING;
            default -> Part.CHARACTER;
        };
    }

    private Part group() {
        boolean looksAround = false;
        boolean looksBack = false;
        if (is('?')) {
            at++;
            looksAround = is('=') || is('!');
            if (is('<')) {
                at++;
                looksAround = is('=') || is('!');
                looksBack = looksAround;
                at = looksAround ? at : regex.indexOf('>', at);
            } else if (!looksAround && !is(':') && !is('>')) {
                skipFlags();
                if (is(')')) {
                    at++;
                    return Part.NOTHING;
                }
            }
            at++;
        }
        Part inner = alternatives();
        at++;
        return looksAround ? inner.lookedFor(looksBack ? PLACES_BEFORE : 1) : inner;
    }

    private void skipFlags() {
        for (; hasMore() && !is(':') && !is(')'); at++) {
            if (is('x')) {
                throw new ModelException(
                        "regular expression "
                                + regex
                                + " asks for comments with (?x), which are not read here");
            }
        }
    }

    private Part escape() {
        if (regex.startsWith(QUOTE, at - 1)) {
            int end = regex.indexOf(UNQUOTE, at);
            int last = end < 0 ? regex.length() : end;
            // A quantifier belongs to the last character of what is quoted, which is no work.
            boolean empty = last == at + 1;
            at = end < 0 ? last : last + UNQUOTE.length();
            return empty ? Part.NOTHING : Part.CHARACTER;
        }
        char c = regex.charAt(at++);
        if (BRACED.indexOf(c) >= 0 && is('{')) {
            at = regex.indexOf('}', at) + 1;
        } else if (c == 'b' && is('{')) {
            at = regex.indexOf('}', at) + 1;
        } else if (c == 'k') {
            at = regex.indexOf('>', at) + 1;
            return Part.REPEAT;
        } else if (c == 'c') {
            at++;
        }
        if (c >= '1' && c <= '9') {
            return Part.REPEAT;
        }
        return ANCHORS.indexOf(c) >= 0 ? Part.NOTHING : Part.CHARACTER;
    }

    /** Leaves a class of characters, which may hold others, behind. */
    private void skipClass() {
        boolean first = true;
        for (int depth = 1; hasMore() && depth > 0; at++) {
            char c = regex.charAt(at);
            if (regex.startsWith(QUOTE, at)) {
                int end = regex.indexOf(UNQUOTE, at);
                at = end < 0 ? regex.length() : end + 1;
            } else if (c == '\\') {
                at++;
            } else if (c == '[') {
                depth++;
            } else if (c == ']' && !first) {
                depth--;
            }
            first = c == '[' || (first && c == '^');
        }
    }

    private Part quantified(Part atom) {
        Part part = atom;
        while (hasMore()) {
            if (is('*') || is('?')) {
                part = part.repeated(0, 1);
            } else if (is('+')) {
                part = part.repeated(1, 1);
            } else if (is('{') && at + 1 < regex.length() && isDigit(regex.charAt(at + 1))) {
                part = counted(part);
            } else {
                return part;
            }
            at++;
        }
        return part;
    }

    /** Without an upper bound, a repetition of nothing ends by itself. */
    private Part counted(Part part) {
        int end = regex.indexOf('}', at);
        int comma = regex.indexOf(',', at);
        boolean open = comma == end - 1;
        boolean range = comma > 0 && comma < end;
        double least = Double.parseDouble(regex.substring(at + 1, range ? comma : end));
        double most = range && !open ? Double.parseDouble(regex.substring(comma + 1, end)) : least;
        at = end;
        return part.repeated(least, Math.max(most, open ? 1 : 0));
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
