package dev.heatline.server.query;

import dev.heatline.model.NearNames;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The parameters of a request. An empty value is as good as none. */
final class Params {

    /** No name of a method is longer, and no expression that somebody wrote. */
    private static final int LONGEST = 2_000;

    private static final int MOST_VALUES = 200;
    private static final int SHOWN = 80;

    private final Map<String, List<String>> values;

    private Params(Map<String, List<String>> values) {
        this.values = values;
    }

    /**
     * The parameters as they were sent.
     *
     * @throws QueryException if there are some that are not known, or too many or too long
     */
    static Params of(Map<String, List<String>> values, Set<String> known) {
        values.forEach(
                (name, all) -> {
                    if (!known.contains(name)) {
                        throw QueryException.badRequest(
                                "no parameter "
                                        + shortened(name)
                                        + NearNames.suggest(shortened(name), known));
                    }
                    if (all.size() > MOST_VALUES) {
                        throw QueryException.badRequest(
                                all.size() + " values of " + name + "; at most " + MOST_VALUES);
                    }
                    for (String value : all) {
                        if (value.length() > LONGEST) {
                            throw QueryException.badRequest(
                                    name
                                            + " has "
                                            + value.length()
                                            + " characters; at most "
                                            + LONGEST);
                        }
                    }
                });
        return new Params(values);
    }

    /** What a message says of a text that may be of any length. */
    static String shortened(String text) {
        return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "…";
    }

    /** All values, those that are empty included. */
    List<String> all(String name) {
        return values.getOrDefault(name, List.of());
    }

    /** All values that are not empty. */
    List<String> given(String name) {
        return all(name).stream().filter(value -> !value.isEmpty()).toList();
    }

    /**
     * The only value, if there is one.
     *
     * @throws QueryException if there are several
     */
    Optional<String> one(String name) {
        List<String> given = given(name);
        if (given.size() > 1) {
            throw QueryException.badRequest(name + " is given " + given.size() + " times");
        }
        return given.stream().findFirst();
    }

    /**
     * The only value.
     *
     * @throws QueryException if there is none
     */
    String require(String name, String example) {
        return one(name)
                .orElseThrow(
                        () ->
                                QueryException.badRequest(
                                        "parameter "
                                                + name
                                                + " is missing: write "
                                                + name
                                                + "="
                                                + example));
    }

    /**
     * A number.
     *
     * @throws QueryException if it is none, or not within these bounds
     */
    int number(String name, int usual, int least, int most) {
        Optional<String> written = one(name);
        if (written.isEmpty()) {
            return usual;
        }
        try {
            int number = Integer.parseInt(written.get());
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Told below, as what is out of bounds is.
        }
        throw QueryException.badRequest(
                name
                        + " "
                        + shortened(written.get())
                        + " is no number from "
                        + least
                        + " to "
                        + most);
    }

    /**
     * One of a few words.
     *
     * @throws QueryException if it is another
     */
    String word(String name, String usual, List<String> words) {
        String written = one(name).orElse(usual);
        if (!words.contains(written)) {
            throw QueryException.badRequest(
                    name + " " + shortened(written) + "? write one of " + String.join(", ", words));
        }
        return written;
    }

    /** Whether something was asked for: {@code lines=true}. */
    boolean flag(String name) {
        return word(name, "false", List.of("true", "false")).equals("true");
    }
}
