package dev.heatline.server;

import dev.heatline.wire.Naming;
import java.util.SortedMap;

/** Refuses where it comes in what {@link Naming} does not allow. */
final class Names {
    private Names() {}

    /**
     * The name, if it is one.
     *
     * @throws Refusal if not; says why
     */
    static String checked(String what, String name) {
        if (name.length() > Naming.MAX_LENGTH) {
            throw new Refusal(
                    400,
                    what + " has " + name.length() + " characters, " + Naming.MAX_LENGTH + " fit");
        }
        if (Naming.hasRefused(name)) {
            throw new Refusal(
                    400, what + " may not contain control characters or any of " + Naming.MARKUP);
        }
        if (Naming.isPath(name)) {
            throw new Refusal(400, what + " may not look like a path to somewhere else");
        }
        return name;
    }

    /** As {@link #checked}, of all names and values. */
    static void checkLabels(SortedMap<String, String> labels) {
        if (labels.size() > Naming.MAX_LABELS) {
            throw new Refusal(
                    400, labels.size() + " labels are given, " + Naming.MAX_LABELS + " fit");
        }
        labels.forEach(
                (name, value) -> {
                    checked("the name of a label", name);
                    checked("a label", value);
                });
        int length = Naming.length(labels);
        if (length > Naming.MAX_LABELS_LENGTH) {
            throw new Refusal(
                    400,
                    "all labels together have "
                            + length
                            + " characters, "
                            + Naming.MAX_LABELS_LENGTH
                            + " fit");
        }
    }
}
