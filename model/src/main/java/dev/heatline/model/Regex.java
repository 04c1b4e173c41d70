package dev.heatline.model;

import java.util.Locale;
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

    /** As above, where what is compiled was derived from what was written. */
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
