package dev.heatline.model;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** Compiles regular expressions that people wrote. */
public final class Regex {

    /**
     * How often an expression may look at a name: more than those that people write need, and
     * little enough for those that would never end.
     */
    private static final int MOST_STEPS = 100_000;

    /** As many more for each character, since names can be long. */
    private static final int STEPS_PER_CHARACTER = 100;

    private Regex() {}

    /**
     * The compiled expression.
     *
     * @throws ModelException if it does not compile; says what is wrong and where, in one line
     */
    public static Pattern compile(String written) {
        return compile(written, written);
    }

    /**
     * Whether the expression is found in a name. The JDK matches alternatives by recursion and
     * tries every way there is, so a long name can exhaust the stack or take forever; that is the
     * expression's fault, not the program's.
     *
     * @param matcher of the expression; afterwards its groups are those of the name
     */
    public static boolean find(Matcher matcher, String name) {
        try {
            return matcher.reset(new Counted(matcher.pattern(), name)).find();
        } catch (StackOverflowError e) {
            throw tooComplex(matcher.pattern(), name);
        }
    }

    private static ModelException tooComplex(Pattern pattern, CharSequence name) {
        return new ModelException(
                "regular expression "
                        + pattern
                        + " is too complex for a name of "
                        + name.length()
                        + " characters: use a character class instead of alternatives, and no"
                        + " repetition of a repetition");
    }

    /** As {@link #compile(String)}, where what is compiled was derived from what was written. */
    static Pattern compile(String written, String derived) {
        try {
            return Pattern.compile(derived);
        } catch (PatternSyntaxException e) {
            throw new ModelException(
                    "regular expression "
                            + written
                            + " does not compile: "
                            + e.getDescription().toLowerCase(Locale.ROOT)
                            + " near position "
                            + Math.max(0, e.getIndex()));
        } catch (StackOverflowError e) {
            throw new ModelException(
                    "regular expression of "
                            + written.length()
                            + " characters does not compile: too many parentheses within one"
                            + " another");
        }
    }

    /** A name that can be looked at so many times. */
    private static final class Counted implements CharSequence {
        private final Pattern pattern;
        private final String name;
        private long stepsLeft;

        Counted(Pattern pattern, String name) {
            this.pattern = pattern;
            this.name = name;
            this.stepsLeft = MOST_STEPS + (long) STEPS_PER_CHARACTER * name.length();
        }

        @Override
        public char charAt(int index) {
            if (stepsLeft-- == 0) {
                throw tooComplex(pattern, name);
            }
            return name.charAt(index);
        }

        @Override
        public int length() {
            return name.length();
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return name.substring(start, end);
        }

        @Override
        public String toString() {
            return name;
        }
    }
}
