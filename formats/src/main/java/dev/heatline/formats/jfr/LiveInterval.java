package dev.heatline.formats.jfr;

import dev.heatline.model.Consumer;
import dev.heatline.model.Contentions;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Provenance;
import dev.heatline.model.Resource;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** What a {@link LiveRecording} read in some interval. */
public final class LiveInterval {
    private final UnaryOperator<Consumer> naming;
    private final Intake intake;
    private Provenance traced = Provenance.NONE;

    /** For what is read once. */
    public LiveInterval() {
        this(UnaryOperator.identity());
    }

    /**
     * @param naming what consumers are to be called instead. Renaming the finished profile would
     *     need room for two of it.
     */
    public LiveInterval(UnaryOperator<Consumer> naming) {
        this.naming = naming;
        this.intake = new Intake(naming);
    }

    Intake intake() {
        return intake;
    }

    /** The profile of all that was read, with what was counted on the way. */
    public Profile build() {
        return build(Provenance.NONE);
    }

    /**
     * The profile of all that was read.
     *
     * @param known what is known besides; its facts stand instead of what the recording says
     */
    public Profile build(Provenance known) {
        Provenance recorded = intake.provenance();
        SortedMap<String, SortedSet<String>> facts = new TreeMap<>(recorded.facts());
        facts.keySet().removeAll(known.facts().keySet());
        return intake.builder().build(recorded.withFacts(facts).merge(known).merge(traced));
    }

    /** Adds the contentions that were traced in the same JVM. */
    public void add(Profile contentions) {
        Contentions.addTo(intake.builder(), contentions, naming);
        traced = traced.merge(contentions.provenance());
    }

    /** Counts something that happened while reading. */
    public void count(String name, long amount) {
        intake.counts().add(name, amount);
    }

    /**
     * Adds what a thread used as it was seen from outside: as a whole, in no method.
     *
     * @param number that of the operating system, as the JVM knows it
     * @param name for one that nothing was recorded of
     */
    public void addThread(long number, String name, Resource resource, long amount) {
        ProfileBuilder builder = intake.builder();
        int known = intake.osThreads().get(number);
        int thread =
                known == LongIntMap.ABSENT ? builder.consumer(Consumer.thread("", name)) : known;
        builder.column(resource).add(Profile.ROOT, thread, amount);
    }

    /** How many calling contexts there are so far. */
    public int nodeCount() {
        return intake.builder().nodeCount();
    }

    /** Calling contexts, names and values so far: what its memory grows with. */
    public long size() {
        return intake.builder().size();
    }

    /** What is known so far about where this comes from. */
    public Provenance provenance() {
        return intake.provenance();
    }
}
