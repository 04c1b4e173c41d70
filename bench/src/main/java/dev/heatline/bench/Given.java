package dev.heatline.bench;

import java.util.ArrayList;
import java.util.List;

/** The options of a measurement: names that begin with two dashes, each with a value. */
final class Given {
    private final String[] words;

    /**
     * @throws IllegalArgumentException if there is anything else
     */
    Given(String[] words, String... known) {
        this.words = words;
        for (int i = 0; i < words.length; i += 2) {
            if (!List.of(known).contains(words[i])) {
                throw new IllegalArgumentException(
                        words[i] + " is not one of " + String.join(", ", known));
            }
            if (i + 1 == words.length) {
                throw new IllegalArgumentException(words[i] + " needs a value");
            }
        }
    }

    /** All values of an option; the usual ones if it is not given. */
    List<String> all(String name, List<String> usual) {
        List<String> values = new ArrayList<>();
        for (int i = 0; i < words.length; i += 2) {
            if (words[i].equals(name)) {
                values.add(words[i + 1]);
            }
        }
        return values.isEmpty() ? usual : values;
    }

    int number(String name, int usual) {
        return Integer.parseInt(all(name, List.of(String.valueOf(usual))).getLast());
    }
}
