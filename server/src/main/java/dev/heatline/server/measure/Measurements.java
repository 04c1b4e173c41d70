package dev.heatline.server.measure;

import dev.heatline.wire.CallOrder;
import dev.heatline.wire.CallReport;
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
import java.util.stream.Stream;

/**
 * The measurements of this server, and the JVMs in which collectors could make more. Kept in memory
 * only: who asks for one waits for it, and after a restart of the server, collectors end what
 * nobody here knows. A collector is told again and again what is wanted, never what to do, so no
 * answer that gets lost leaves a JVM changed.
 */
public final class Measurements {
    private static final int MOST_JVMS = 10_000;
    private static final int MOST_UNDER_WAY = 50;
    private static final int MOST_KEPT = 200;

    /** What was seen of measurements is shown for the last few. */
    private static final int MOST_SEEN = 20;

    /** Who looks asks every second. */
    private static final Duration LOOKING = Duration.ofSeconds(5);

    private final InstantSource clock;
    private final Map<String, Sighting> jvms = new LinkedHashMap<>();

    /** As collectors told them, the oldest first. */
    private final Map<String, Measurement> measurements = new LinkedHashMap<>();

    /** Which one was looked at last, and when. */
    private final Map<String, Instant> looks = new LinkedHashMap<>();

    private record Sighting(FollowedJvm jvm, Instant last) {}

    public Measurements(InstantSource clock) {
        this.clock = clock;
    }

    /**
     * Takes the JVMs that a collector follows; those that do not fit cannot be measured.
     *
     * @return all that is wanted of them now
     */
    public synchronized List<CallOrder> exchange(List<FollowedJvm> followed) {
        Instant now = clock.instant();
        jvms.values().removeIf(each -> each.last().isBefore(now.minus(Measurement.SILENCE)));
        List<CallOrder> wanted = new ArrayList<>();
        for (FollowedJvm jvm : followed) {
            jvms.remove(jvm.id());
            if (jvms.size() < MOST_JVMS) {
                jvms.put(jvm.id(), new Sighting(jvm, now));
            }
            for (Measurement each : List.copyOf(measurements.values())) {
                if (each.order().jvm().equals(jvm.id()) && !each.state().isOver()) {
                    // What was not begun in time is not begun later; what was may go on.
                    Measurement next =
                            each.state() == Measurement.State.WAITING ? each.at(now) : each;
                    measurements.put(each.order().id(), next.heard(now));
                    if (!next.state().isOver() && !next.ending()) {
                        wanted.add(each.order());
                    }
                }
            }
        }
        return wanted;
    }

    /** What is wanted of a measurement, if something is expected to be told of it. */
    public synchronized Optional<CallRequest> wanted(String id) {
        return Optional.ofNullable(measurements.get(id))
                .filter(known -> !known.state().isOver())
                .map(known -> known.order().request());
    }

    /**
     * Takes what a collector says of a measurement.
     *
     * @return whether it is to go on: what a {@link CallReport} says of answers
     */
    public synchronized String report(CallReport report, Seen seen) {
        String id = report.id();
        Measurement known = measurements.get(id);
        if (known == null || known.state().isOver()) {
            return CallReport.END;
        }
        Instant now = clock.instant();
        Measurement told = known.told(report, seen, now);
        measurements.put(id, told);
        forgetOld();
        if (told.ending() || told.state().isOver()) {
            return CallReport.END;
        }
        boolean looked = looks.getOrDefault(id, told.created()).isAfter(now.minus(LOOKING));
        return looked ? CallReport.GO_ON : CallReport.GO_ON_UNSEEN;
    }

    /**
     * Wants calls to be measured.
     *
     * @param jvm the id of one that a collector follows
     * @throws MeasureException if there is none, or it is being measured already
     */
    public synchronized Measurement order(String jvm, CallRequest request, int seconds) {
        Sighting there = jvms.get(jvm);
        if (there == null || isSilent(there)) {
            throw new MeasureException(404, "no collector follows a JVM " + jvm + " now");
        }
        List<Measurement> underWay = all().filter(each -> !each.state().isOver()).toList();
        for (Measurement each : underWay) {
            if (each.order().jvm().equals(jvm)) {
                throw new MeasureException(
                        409,
                        "calls of this JVM are being measured: "
                                + each.order().request().subject());
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
        find(id);
        measurements.computeIfPresent(id, (_, known) -> known.toEnd());
        return find(id);
    }

    /**
     * One of them, which somebody wants to look at.
     *
     * @throws MeasureException if there is none
     */
    public synchronized Measurement find(String id) {
        Measurement known =
                Optional.ofNullable(measurements.get(id))
                        .orElseThrow(
                                () -> new MeasureException(404, "there is no measurement " + id));
        looks.put(id, clock.instant());
        return known.at(clock.instant());
    }

    /** Those of an application, the newest first. */
    public synchronized List<Measurement> of(String application) {
        return all().filter(each -> each.jvm().application().equals(application))
                .toList()
                .reversed();
    }

    private Stream<Measurement> all() {
        Instant now = clock.instant();
        return measurements.values().stream().map(each -> each.at(now));
    }

    /** The JVMs of an application that can be measured. */
    public synchronized List<FollowedJvm> jvms(String application) {
        return jvms.values().stream()
                .filter(each -> !isSilent(each))
                .map(Sighting::jvm)
                .filter(jvm -> jvm.application().equals(application))
                .toList();
    }

    private boolean isSilent(Sighting seen) {
        return seen.last().isBefore(clock.instant().minus(Measurement.SILENCE));
    }

    private void forgetOld() {
        List<Measurement> over = all().filter(each -> each.state().isOver()).toList();
        int surplus = over.size() - MOST_SEEN;
        for (int i = 0; i < surplus; i++) {
            String id = over.get(i).order().id();
            looks.remove(id);
            if (measurements.size() > MOST_KEPT) {
                measurements.remove(id);
            } else {
                measurements.computeIfPresent(id, (_, known) -> known.forgotten());
            }
        }
    }
}
