package dev.heatline.model;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** What contentions can be told apart by (001 §4.3.2), by the names people ask for it. */
public enum ContentionAspect {
    KIND("kind", "monitor, lock, read-write lock …"),
    LOCK_CLASS("lock-class", "the class of the lock object"),
    LOCK("lock", "the lock object, by its identity hash code"),
    DURATION("duration", "how long it took, in steps of 1, 2 and 5"),
    BLOCKED_THREAD("blocked-thread", "who was kept waiting"),
    BLOCKED_METHOD("blocked-method", "the method that could not go on"),
    BLOCKED_CHAIN("blocked-chain", "the same with all its callers"),
    OWNER_THREAD("owner-thread", "who held the lock meanwhile"),
    OWNER_METHOD("owner-method", "the method that held it"),
    OWNER_CHAIN("owner-chain", "the same with all its callers");

    /** What answers most questions: which lock, who waits, and whose fault it is. */
    public static final List<ContentionAspect> USUAL =
            List.of(LOCK_CLASS, BLOCKED_CHAIN, OWNER_CHAIN);

    private final String label;
    private final String description;

    ContentionAspect(String label, String description) {
        this.label = label;
        this.description = description;
    }

    /**
     * Aspects in the order given, separated by commas.
     *
     * @throws ModelException if one is unknown, or there twice
     */
    public static List<ContentionAspect> parse(String written) {
        List<ContentionAspect> aspects =
                Arrays.stream(written.split(",", -1))
                        .map(String::strip)
                        .map(ContentionAspect::named)
                        .toList();
        if (aspects.stream().distinct().count() < aspects.size()) {
            throw new ModelException("an aspect is there twice in " + written);
        }
        return aspects;
    }

    private static ContentionAspect named(String name) {
        return Arrays.stream(values())
                .filter(aspect -> aspect.label.equals(name))
                .findFirst()
                .orElseThrow(
                        () ->
                                new ModelException(
                                        "no aspect "
                                                + name
                                                + " of contentions; there are "
                                                + labels()));
    }

    private static String labels() {
        return Arrays.stream(values())
                .map(ContentionAspect::label)
                .collect(Collectors.joining(", "));
    }

    public String label() {
        return label;
    }

    /** What it tells apart, in a few words. */
    public String description() {
        return description;
    }
}
