package dev.heatline.collector.calls;

import dev.heatline.collector.jvm.CallMeter;
import dev.heatline.collector.jvm.Jvm;
import dev.heatline.model.Profile;
import dev.heatline.model.Resource;
import dev.heatline.wire.CallRequest;
import dev.heatline.wire.CallSnapshot;
import dev.heatline.wire.RegionSnapshot;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/** Calls of a running JVM, measured from when this is made until it is stopped or closed. */
public final class CallWatch implements AutoCloseable {
    private final CallMeter meter;

    /** Empty for a program that is measured from its start, when all code is new. */
    private final Optional<Settling> settling;

    /** When measuring began, nanoseconds since 1970. */
    private final long startNanos;

    private volatile CallSnapshot seen;

    /**
     * Of what was seen last, once somebody has asked; empty before. Not made twice, since all trees
     * are searched for it again and again.
     */
    private volatile Optional<List<RootComparison>> comparisons = Optional.empty();

    private CallWatch(CallMeter meter, boolean running) {
        this.meter = meter;
        this.seen = meter.snapshot();
        this.startNanos = nanosNow() - seen.elapsedNanos();
        this.settling = running ? Optional.of(new Settling(seen)) : Optional.empty();
    }

    /**
     * Begins to measure.
     *
     * @param agentJar what is loaded into the JVM
     * @throws dev.heatline.collector.jvm.JvmException if that is not possible; says why
     */
    public static CallWatch start(Jvm jvm, Path agentJar, CallRequest request) {
        return watch(CallMeter.start(jvm, agentJar, request), true);
    }

    /** The same for a program that is started for it, from its first instruction on. */
    public static CallWatch launch(List<String> command, Path agentJar, CallRequest request) {
        return watch(CallMeter.launch(command, agentJar, request), false);
    }

    private static CallWatch watch(CallMeter meter, boolean running) {
        try {
            return new CallWatch(meter, running);
        } catch (RuntimeException e) {
            meter.close();
            throw e;
        }
    }

    /** Waits for a program that was launched; how it ended. */
    public OptionalInt awaitEnd() {
        return meter.awaitEnd();
    }

    /** The JVM that is measured. */
    public Jvm jvm() {
        return meter.jvm();
    }

    /** Whether measuring has ended, because it took too much or another tool wanted that. */
    public boolean isOver() {
        return seen.counts().getOrDefault(CallSnapshot.TOO_DEAR, 0L) > 0
                || seen.counts().getOrDefault(CallSnapshot.ENDED, 0L) > 0;
    }

    /** Takes what is new. To be called every second or so, or measuring ends by itself. */
    public void look() {
        seen = meter.look();
        settling.ifPresent(it -> it.look(seen));
        comparisons = Optional.empty();
    }

    /** What was measured up to the last look. */
    public CallSnapshot seen() {
        return seen;
    }

    /** Ends measuring, and takes what is left. */
    public void stop() {
        meter.stop();
        seen = meter.snapshot();
        comparisons = Optional.empty();
    }

    /** The times of single methods, where those were asked for. */
    public RegionSnapshot regions() {
        return meter.regions();
    }

    /** All that was measured. */
    public Profile take() {
        Profile profile = CallProfile.of(seen, settled(), comparisons());
        long end = startNanos + seen.elapsedNanos();
        return profile.withProvenance(profile.provenance().covering(startNanos, end));
    }

    private static long nanosNow() {
        Instant now = Instant.now();
        return now.getEpochSecond() * Resource.NANOS_PER_SECOND + now.getNano();
    }

    /** What measuring did and cost, for people: one line each. */
    public List<String> remarks() {
        List<String> lines = new ArrayList<>(CallRemarks.of(seen));
        if (settling.isEmpty() && !seen.trees().isEmpty()) {
            lines.add(
                    "times are those of a program that starts: the first calls of each method, and"
                            + " the hooks in them, were not compiled yet");
        }
        if (settling.isPresent() && !seen.trees().isEmpty()) {
            lines.add(
                    settled()
                            .map(
                                    since ->
                                            String.format(
                                                    Locale.ROOT,
                                                    "calls of the first %.1f s count as much time as"
                                                            + " later ones: until then the"
                                                            + " changed code was being compiled",
                                                    since.elapsedNanos() / 1e9))
                            .orElse(
                                    "the changed code is still being compiled: calls take longer"
                                            + " until it is"));
        }
        comparisons().forEach(each -> lines.add(each.text()));
        return lines;
    }

    private List<RootComparison> comparisons() {
        List<RootComparison> all = comparisons.orElseGet(() -> RootComparison.of(seen, settled()));
        comparisons = Optional.of(all);
        return all;
    }

    private Optional<CallSnapshot> settled() {
        return settling.flatMap(Settling::settled);
    }

    @Override
    public void close() {
        meter.close();
    }
}
