package dev.heatline.server.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heatline.server.measure.Measurement.State;
import dev.heatline.wire.CallOrder;
import dev.heatline.wire.CallReport;
import dev.heatline.wire.CallRequest;
import dev.heatline.wire.FollowedJvm;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MeasurementsTest {
    private static final FollowedJvm JVM =
            new FollowedJvm("j", "shop", "1.0", "host:1", "shop.jar", 1);

    private static final CallRequest REQUEST =
            CallRequest.builder().roots(List.of("Search::find")).build();

    private Instant now = Instant.parse("2026-11-18T10:00:00Z");
    private final Measurements measurements = new Measurements(() -> now);

    private void pass(int seconds) {
        now = now.plus(Duration.ofSeconds(seconds));
    }

    /** What the collector says now. */
    private String told(String id, CallReport.State state, String message, String remark) {
        long millis = now.toEpochMilli();
        CallReport report =
                new CallReport(id, state, message, List.of(remark), millis - 1_000, millis);
        return measurements.report(report, Seen.of(report.remarks(), new byte[0]));
    }

    private String ordered() {
        measurements.exchange(List.of(JVM));
        return measurements.order("j", REQUEST, 30).order().id();
    }

    @Test
    void aCollectorIsToldWhatIsWantedUntilItIsOver() {
        String id = ordered();
        assertThat(measurements.find(id).state()).isEqualTo(State.WAITING);
        List<CallOrder> wanted = List.of(new CallOrder(id, "j", 30, REQUEST));
        assertThat(measurements.exchange(List.of(JVM))).isEqualTo(wanted);
        assertThat(measurements.exchange(List.of(JVM))).isEqualTo(wanted);

        pass(1);
        assertThat(told(id, CallReport.State.RUNNING, "", "one")).isEqualTo(CallReport.GO_ON);
        assertThat(measurements.find(id).from()).hasValue(now.minusSeconds(1));
        assertThat(measurements.exchange(List.of(JVM))).isEqualTo(wanted);

        pass(29);
        assertThat(told(id, CallReport.State.ENDED, "", "two")).isEqualTo(CallReport.END);
        assertThat(measurements.exchange(List.of(JVM))).isEmpty();
        Measurement ended = measurements.find(id);
        assertThat(ended.state()).isEqualTo(State.ENDED);
        assertThat(ended.until()).hasValue(now);
        assertThat(ended.seen().remarks()).containsExactly("two");
        assertThat(measurements.of("shop")).containsExactly(ended);
        assertThat(measurements.of("other")).isEmpty();
    }

    @Test
    void whoIsToEndIsTold() {
        String id = ordered();
        told(id, CallReport.State.RUNNING, "", "");
        measurements.end(id);

        assertThat(measurements.exchange(List.of(JVM))).isEmpty();
        assertThat(told(id, CallReport.State.RUNNING, "", "")).isEqualTo(CallReport.END);
        assertThat(measurements.find(id).state()).isEqualTo(State.RUNNING);
        told(id, CallReport.State.ENDED, "", "");
        assertThat(measurements.end(id).state()).isEqualTo(State.ENDED);
    }

    @Test
    void whatHasNotBegunDoesNotBegin() {
        String id = ordered();
        assertThat(measurements.end(id).state()).isEqualTo(State.FAILED);
        assertThat(measurements.exchange(List.of(JVM))).isEmpty();
        assertThat(told(id, CallReport.State.RUNNING, "", "")).isEqualTo(CallReport.END);
        assertThat(measurements.find(id).state()).isEqualTo(State.FAILED);
    }

    @Test
    void whoIsNotLookedAtNeedNotTellAll() {
        String id = ordered();
        assertThat(told(id, CallReport.State.RUNNING, "", "")).isEqualTo(CallReport.GO_ON);
        pass(6);
        assertThat(told(id, CallReport.State.RUNNING, "", "")).isEqualTo(CallReport.GO_ON_UNSEEN);
        measurements.find(id);
        assertThat(told(id, CallReport.State.RUNNING, "", "")).isEqualTo(CallReport.GO_ON);
    }

    @Test
    void changingMethodsMayTakeLong() {
        String id = ordered();
        for (int i = 0; i < 100; i++) {
            pass(2);
            assertThat(measurements.exchange(List.of(JVM))).hasSize(1);
        }
        assertThat(measurements.find(id).state()).isEqualTo(State.WAITING);
    }

    @Test
    void whatNobodyKnowsIsToEnd() {
        assertThat(told("of another server", CallReport.State.RUNNING, "", ""))
                .isEqualTo(CallReport.END);
    }

    @Test
    void aSilentCollectorIsNotWaitedForForEver() {
        String waiting = ordered();
        pass(31);
        assertThat(measurements.jvms("shop")).isEmpty();
        assertThat(measurements.find(waiting).message()).contains("did not take it up");
        assertThatThrownBy(() -> measurements.order("j", REQUEST, 1))
                .hasMessageContaining("no collector follows");

        String running = ordered();
        told(running, CallReport.State.RUNNING, "", "");
        pass(31);
        assertThat(measurements.find(running).state()).isEqualTo(State.FAILED);
        assertThat(measurements.find(running).message()).contains("does not report");
        // Unless it does after all.
        told(running, CallReport.State.ENDED, "", "late");
        assertThat(measurements.find(running).state()).isEqualTo(State.ENDED);
        assertThat(measurements.find(waiting).state()).isEqualTo(State.FAILED);
    }

    @Test
    void oneJvmIsMeasuredOnceAtATime() {
        String first = ordered();
        assertThatThrownBy(() -> measurements.order("j", REQUEST, 1))
                .isInstanceOfSatisfying(
                        MeasureException.class, e -> assertThat(e.status()).isEqualTo(409))
                .hasMessageContaining("Search::find");
        told(first, CallReport.State.FAILED, "no such method", "");
        assertThat(measurements.order("j", REQUEST, 1).state()).isEqualTo(State.WAITING);
        assertThat(measurements.of("shop").getLast().message()).isEqualTo("no such method");
    }

    @Test
    void memoryIsBounded() {
        for (int i = 0; i < 1_000; i++) {
            String id = ordered();
            told(id, CallReport.State.ENDED, "", "line " + i);
        }
        List<Measurement> kept = measurements.of("shop");
        assertThat(kept).hasSizeLessThanOrEqualTo(201);
        assertThat(kept.getFirst().seen().remarks()).containsExactly("line 999");
        assertThat(kept.stream().filter(each -> !each.seen().remarks().isEmpty())).hasSize(20);

        List<FollowedJvm> many =
                IntStream.range(0, 10_001)
                        .mapToObj(i -> new FollowedJvm("j" + i, "a", "", "", "", i))
                        .toList();
        measurements.exchange(many);
        assertThat(measurements.jvms("a")).hasSizeLessThanOrEqualTo(10_000);
        // Who was known before is not pushed out.
        assertThat(measurements.exchange(List.of(JVM))).isEmpty();
    }
}
