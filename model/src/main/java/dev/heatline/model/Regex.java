package dev.heatline.model;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** Compiles regular expressions that people wrote. */
public final class Regex {

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
     * Whether the expression is found. The JDK matches alternatives by recursion, so a long name
     * can exhaust the stack; that is the expression's fault, not the program's.
     */
    public static boolean find(Matcher matcher, String name) {
        try {
            return matcher.find();
        } catch (StackOverflowError e) {
            throw new ModelException(
                    "regular expression "
                            + matcher.pattern()
                            + " is too complex for a name of "
                            + name.length()
                            + " characters: use a character class instead of alternatives");
        }
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
        }
    }
}
