package dev.heatline.server;

import io.helidon.common.uri.UriQuery;
import java.util.Optional;

/** Parameters of a request. */
final class Query {
    private static final int MAX_DIGITS = 18;

    private Query() {}

    /** The value of a parameter; an empty one counts as not given. */
    static Optional<String> text(UriQuery query, String name) {
        return query.first(name).asOptional().filter(value -> !value.isEmpty());
    }

    /**
     * @throws Refusal if it is given, and no whole number that is at least 0
     */
    static Optional<Long> number(UriQuery query, String name) {
        Optional<String> text = text(query, name);
        if (text.isPresent() && !text.get().matches("\\d{1," + MAX_DIGITS + "}")) {
            throw new Refusal(400, name + " has to be a whole number");
        }
        return text.map(Long::valueOf);
    }
}
