package dev.heatline.server;

import dev.heatline.model.Execution;
import dev.heatline.model.Profile;
import dev.heatline.model.Provenance;
import dev.heatline.store.Upload;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a sender says about a profile beside its content. What is not said, the profile may know.
 *
 * @param from first moment the profile covers
 * @param until moment after the last
 */
record Claim(
        Optional<String> application,
        Optional<String> version,
        Optional<String> instance,
        SortedMap<String, String> labels,
        Optional<Instant> from,
        Optional<Instant> until) {

    /** How far clocks may differ. What lies further ahead would outlive every retention. */
    private static final Duration AHEAD = Duration.ofDays(1);

    Claim {
        labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
    }

    /**
     * The upload that this profile becomes.
     *
     * @throws Refusal if neither the sender nor the profile says what it is of, or if that is still
     *     to come
     */
    Upload upload(String id, Profile profile, Instant now) {
        Provenance known = profile.provenance();
        Execution execution = execution(known);
        Instant first = from.or(known::from).orElseThrow(Claim::noTime);
        Instant end = until.or(known::until).orElseThrow(Claim::noTime);
        if (first.isBefore(Instant.EPOCH) || end.isBefore(first)) {
            throw new Refusal(400, "the profile ends before it begins, or before 1970");
        }
        if (end.isAfter(now.plus(AHEAD))) {
            // Right in itself, and its sender may be set right by then.
            throw new Refusal(
                    409,
                    "the profile ends at "
                            + end
                            + ", more than a day ahead of this server's clock, which is at "
                            + now.truncatedTo(ChronoUnit.SECONDS));
        }
        // Senders that round to seconds begin and end short profiles at the same moment.
        Instant last = end.equals(first) ? end.plusMillis(1) : end;
        Provenance mended = provenance(known, execution, first, last);
        return new Upload(id, execution, first, last, profile.withProvenance(mended));
    }

    private Execution execution(Provenance known) {
        String name = application.orElseGet(() -> only(known, Provenance.APPLICATION));
        if (name.isEmpty()) {
            throw new Refusal(
                    400,
                    "neither the request nor the profile names one application; add ?app=NAME");
        }
        Names.checkLabels(labels);
        return new Execution(
                Names.checked("the application's name", name),
                Names.checked(
                        "the version", version.orElseGet(() -> only(known, Provenance.VERSION))),
                Names.checked(
                        "the instance", instance.orElseGet(() -> only(known, Provenance.INSTANCE))),
                labels);
    }

    /** The value of a fact that has exactly one, else nothing. */
    private static String only(Provenance known, String fact) {
        SortedSet<String> values = known.facts().getOrDefault(fact, Collections.emptySortedSet());
        return values.size() == 1 ? values.first() : "";
    }

    private static Refusal noTime() {
        return new Refusal(
                400,
                "neither the request nor the profile says when it was taken; add"
                        + " from= and until= in milliseconds since 1970");
    }

    private static Provenance provenance(
            Provenance known, Execution execution, Instant from, Instant until) {
        TreeMap<String, SortedSet<String>> facts = new TreeMap<>(known.facts());
        say(facts, Provenance.APPLICATION, execution.application());
        say(facts, Provenance.VERSION, execution.version());
        say(facts, Provenance.INSTANCE, execution.instance());
        Provenance said = known.withFacts(facts);
        return known.fromNanos() == Provenance.UNKNOWN_TIME
                ? said.withTime(nanos(from), nanos(until))
                : said;
    }

    private static void say(TreeMap<String, SortedSet<String>> facts, String name, String value) {
        facts.remove(name);
        if (!value.isEmpty()) {
            TreeSet<String> values = new TreeSet<>();
            values.add(value);
            facts.put(name, values);
        }
    }

    private static long nanos(Instant moment) {
        return moment.getEpochSecond() * 1_000_000_000L + moment.getNano();
    }
}
