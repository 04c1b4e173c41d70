package dev.heatline.model;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** What contentions can be told apart by (001 §4.3.2), by the names people ask for it. */
public enum ContentionAspect {
    /** Monitor, lock, read-write lock. */
    KIND("kind"),

    /** The class of the lock object. */
    LOCK_CLASS("lock-class"),

    /** The lock object, by its identity hash code. */
    LOCK("lock"),

    /** How long it took, in steps of 1, 2 and 5. */
    DURATION("duration"),

    /** Who was kept waiting. */
    BLOCKED_THREAD("blocked-thread"),

    /** The method that could not go on. */
    BLOCKED_METHOD("blocked-method"),

    /** The same with all its callers. */
    BLOCKED_CHAIN("blocked-chain"),

    /** Who held the lock meanwhile. */
    OWNER_THREAD("owner-thread"),

    /** The method that held it. */
    OWNER_METHOD("owner-method"),

    /** The same with all its callers. */
    OWNER_CHAIN("owner-chain");

    /** What answers most questions: which lock, who waits, and whose fault it is. */
    public static final List<ContentionAspect> USUAL =
            List.of(LOCK_CLASS, BLOCKED_CHAIN, OWNER_CHAIN);

    private final String label;

    ContentionAspect(String label) {
        this.label = label;
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
}
