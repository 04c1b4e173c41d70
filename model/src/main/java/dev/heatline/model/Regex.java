package dev.heatline.model;

import java.time.Duration;
import java.util.Locale;
import java.util.function.Supplier;
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

    /** How much an expression may do from one look at a name to the next. */
    private static final double MOST_WORK = 2_000;

    /** The clock is looked at once in so many steps. */
    private static final int STEPS_PER_CLOCK = 256;

    /** When those who look for something in this thread have to be done, by System.nanoTime. */
    private static final ScopedValue<Long> END_NANOS = ScopedValue.newInstance();

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
        checkTime();
        try {
            return matcher.reset(new Counted(matcher.pattern(), name)).find();
        } catch (StackOverflowError e) {
            throw tooComplex(matcher.pattern(), name);
        }
    }

    /**
     * Does something for which all expressions together, over all names, have so much time.
     *
     * @throws ModelException if it takes longer
     */
    public static <T> T within(Duration time, Supplier<T> work) {
        return ScopedValue.where(END_NANOS, System.nanoTime() + time.toNanos()).call(work::get);
    }

    private static void checkTime() {
        if (END_NANOS.isBound() && System.nanoTime() - END_NANOS.get() >= 0) {
            throw new ModelException(
                    "looking for these regular expressions in all names takes too long: write"
                            + " fewer or simpler ones, without .* at their beginning");
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
            Pattern pattern = Pattern.compile(derived);
            checkWork(written, derived);
            return pattern;
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

    /** A part that may be empty can be repeated, or chosen, for ever without a look at a name. */
    private static void checkWork(String written, String derived) {
        if (RegexWork.of(derived) > MOST_WORK) {
            throw new ModelException(
                    "regular expression "
                            + written
                            + " repeats or chooses between parts that may be empty too often:"
                            + " leave out what may be empty, or use smaller numbers in {}");
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
            if (stepsLeft % STEPS_PER_CLOCK == 0) {
                checkTime();
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
