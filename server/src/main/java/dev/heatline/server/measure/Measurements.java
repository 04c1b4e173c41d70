package dev.heatline.server.measure;

import dev.heatline.server.measure.Measurement.State;
import dev.heatline.wire.CallOrder;
import dev.heatline.wire.CallRequest;
import dev.heatline.wire.FollowedJvm;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * The measurements of this server, and the JVMs in which collectors could make more. Kept in memory
 * only: who asks for one waits for it, and after a restart of the server, collectors end what
 * nobody here knows. A collector is told again and again what is wanted, never what to do, so no
 * answer that gets lost leaves a JVM changed.
 */
public final class Measurements {

    /** Of a collector that says nothing for so long, nothing is to be expected. */
    private static final Duration SILENCE = Duration.ofSeconds(30);

    private static final int MOST_JVMS = 10_000;
    private static final int MOST_UNDER_WAY = 50;
    private static final int MOST_KEPT = 200;

    /** What was seen of measurements is shown for the last few. */
    private static final int MOST_SEEN = 20;

    private final InstantSource clock;
    private final Map<String, Sighting> jvms = new LinkedHashMap<>();

    /** The oldest first. */
    private final Map<String, Measurement> measurements = new LinkedHashMap<>();

    private record Sighting(FollowedJvm jvm, Instant last) {}

    public Measurements(InstantSource clock) {
        this.clock = clock;
    }

    /**
     * Takes the JVMs that a collector follows.
     *
     * @return all that is wanted of them now
     * @throws MeasureException if there are too many
     */
    public synchronized List<CallOrder> exchange(List<FollowedJvm> followed) {
        forgetSilent();
        Instant now = clock.instant();
        List<CallOrder> wanted = new ArrayList<>();
        for (FollowedJvm jvm : followed) {
            jvms.remove(jvm.id());
            if (jvms.size() >= MOST_JVMS) {
                throw new MeasureException(429, MOST_JVMS + " JVMs are known, no more fit");
            }
            jvms.put(jvm.id(), new Sighting(jvm, now));
            measurements.values().stream()
                    .filter(each -> each.order().jvm().equals(jvm.id()))
                    .filter(each -> !each.state().isOver() && !each.ending())
                    .forEach(each -> wanted.add(each.order()));
        }
        return wanted;
    }

    /**
     * Takes what a collector says of a measurement.
     *
     * @return whether it is to go on
     */
    public synchronized boolean report(String id, State state, String message, Seen seen) {
        forgetSilent();
        Measurement known = measurements.get(id);
        if (known == null || known.state().isOver()) {
            return false;
        }
        measurements.put(id, known.told(state, message, seen, clock.instant()));
        forgetOld();
        return !known.ending() && !state.isOver();
    }

    /**
     * Wants calls to be measured.
     *
     * @param jvm the id of one that a collector follows
     * @throws MeasureException if there is none, or it is being measured already
     */
    public synchronized Measurement order(String jvm, CallRequest request, int seconds) {
        forgetSilent();
        Sighting there = jvms.get(jvm);
        if (there == null) {
            throw new MeasureException(404, "no collector follows a JVM " + jvm + " now");
        }
        List<Measurement> underWay =
                measurements.values().stream().filter(each -> !each.state().isOver()).toList();
        for (Measurement each : underWay) {
            if (each.order().jvm().equals(jvm)) {
                throw new MeasureException(
                        409,
                        "calls of this JVM are being measured: "
                                + String.join(", ", each.order().request().roots()));
            }
        }
        if (underWay.size() >= MOST_UNDER_WAY) {
            throw new MeasureException(
                    429, MOST_UNDER_WAY + " measurements are under way; wait for the end of one");
        }
        String id = UUID.randomUUID().toString();
        CallOrder order = new CallOrder(id, jvm, seconds, request);
        Measurement measurement = Measurement.ordered(order, there.jvm(), clock.instant());
        measurements.put(id, measurement);
        forgetOld();
        return measurement;
    }

    /**
     * Wants a measurement to end. One that has ended stays as it is.
     *
     * @throws MeasureException if there is none
     */
    public synchronized Measurement end(String id) {
        Measurement known = find(id);
        if (!known.state().isOver()) {
            known =
                    known.state() == State.WAITING
                            ? known.failed("ended before it began", clock.instant())
                            : known.toEnd();
            measurements.put(id, known);
        }
        return known;
    }

    /**
     * One of them.
     *
     * @throws MeasureException if there is none
     */
    public synchronized Measurement find(String id) {
        forgetSilent();
        return Optional.ofNullable(measurements.get(id))
                .orElseThrow(() -> new MeasureException(404, "there is no measurement " + id));
    }

    /** Those of an application, the newest first. */
    public synchronized List<Measurement> of(String application) {
        forgetSilent();
        return measurements.values().stream()
                .filter(each -> each.jvm().application().equals(application))
                .toList()
                .reversed();
    }

    /** The JVMs of an application that can be measured. */
    public synchronized List<FollowedJvm> jvms(String application) {
        forgetSilent();
        return jvms.values().stream()
                .map(Sighting::jvm)
                .filter(jvm -> jvm.application().equals(application))
                .toList();
    }

    private void forgetSilent() {
        Instant now = clock.instant();
        Instant last = now.minus(SILENCE);
        jvms.values().removeIf(each -> each.last().isBefore(last));
        measurements.replaceAll(
                (_, each) ->
                        each.state().isOver() || !each.heard().isBefore(last)
                                ? each
                                : each.failed(
                                        each.state() == State.WAITING
                                                ? "the collector did not take it up"
                                                : "the collector does not report any more",
                                        now));
    }

    private void forgetOld() {
        List<Measurement> over =
                measurements.values().stream().filter(each -> each.state().isOver()).toList();
        int surplus = over.size() - MOST_SEEN;
        for (int i = 0; i < surplus; i++) {
            String id = over.get(i).order().id();
            if (measurements.size() > MOST_KEPT) {
                measurements.remove(id);
            } else {
                measurements.put(id, over.get(i).forgotten());
            }
        }
    }
}
