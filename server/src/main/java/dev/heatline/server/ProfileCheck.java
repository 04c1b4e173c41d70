package dev.heatline.server;

import dev.heatline.model.Column;
import dev.heatline.model.Consumer;
import dev.heatline.model.Moments;
import dev.heatline.model.Profile;
import dev.heatline.model.Provenance;
import dev.heatline.model.Resource;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;

/**
 * Keeps out what can be read, but would harm all that is stored beside it: values that nothing can
 * be added to any more, and descriptions and names that fill the memory of whoever asks.
 */
final class ProfileCheck {

    /** A hundred days of processor time in nanoseconds, or nine petabytes. */
    private static final long MAX_VALUE = 1L << 53;

    /** Of all facts, counts and resources; merged profiles keep those of all their parts. */
    private static final int MAX_DESCRIPTION = 64 << 10;

    private static final int MAX_NAME = 16 << 10;

    /** Recordings have about ten. */
    private static final int MAX_MOMENTS = 100;

    private ProfileCheck() {}

    /**
     * @throws Refusal if the profile is not one to keep; says why
     */
    static void check(Profile profile) {
        for (Column column : profile.columns()) {
            checkValue(column.resource().name(), column.total());
        }
        profile.provenance().counts().forEach(ProfileCheck::checkValue);
        checkMoments(profile.provenance().moments());
        if (describing(profile) > MAX_DESCRIPTION) {
            throw new Refusal(
                    422,
                    "the facts, counts and resources of the profile have more than "
                            + MAX_DESCRIPTION
                            + " characters");
        }
        for (int id = 0; id < profile.consumerCount(); id++) {
            Consumer consumer = profile.consumerAt(id);
            checkName(consumer.owner());
            checkName(consumer.name());
            checkName(consumer.descriptor());
        }
    }

    private static void checkValue(String name, long value) {
        if (value > MAX_VALUE || value < -MAX_VALUE) {
            String shown = name.length() > 80 ? name.substring(0, 80) + "…" : name;
            throw new Refusal(
                    422, shown + " adds up to " + value + ", which is more than can be measured");
        }
    }

    private static void checkMoments(SortedMap<String, Moments> moments) {
        if (moments.size() > MAX_MOMENTS) {
            throw new Refusal(
                    422,
                    "the profile tells of "
                            + moments.size()
                            + " resources when they were observed, "
                            + MAX_MOMENTS
                            + " fit");
        }
        moments.forEach((name, when) -> checkValue(name, when.total()));
    }

    private static void checkName(String name) {
        if (name.length() > MAX_NAME) {
            throw new Refusal(
                    422,
                    "the profile has a name of "
                            + name.length()
                            + " characters, "
                            + MAX_NAME
                            + " fit");
        }
    }

    private static long describing(Profile profile) {
        Provenance provenance = profile.provenance();
        long length = profile.consumerLabel().length();
        for (Map.Entry<String, SortedSet<String>> fact : provenance.facts().entrySet()) {
            length += fact.getKey().length();
            length += fact.getValue().stream().mapToLong(String::length).sum();
        }
        length += provenance.counts().keySet().stream().mapToLong(String::length).sum();
        length += provenance.moments().keySet().stream().mapToLong(String::length).sum();
        for (Column column : profile.columns()) {
            Resource resource = column.resource();
            length += resource.name().length() + resource.unit().length();
            length += resource.occurrences().length();
        }
        return length;
    }
}
