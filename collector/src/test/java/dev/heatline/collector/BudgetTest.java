package dev.heatline.collector;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.wire.RecordingSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a minute may cost, and what happens when it costs more. Times are in seconds. */
class BudgetTest {
    private final Budget budget = new Budget(0.01, RecordingSettings.DEFAULT, false);

    @BeforeEach
    void theFirstMinuteDoesNotCount() {
        spend(30, 60);
        assertThat(budget.reduction()).isEmpty();
    }

    @Test
    void shortIntervalsAreJudgedByTheMinute() {
        for (int i = 0; i < 5; i++) {
            budget.spent(500_000_000L, 0, 10_000_000_000L, 10_000_000_000L);
            assertThat(budget.reduction()).isEmpty();
        }
        budget.spent(500_000_000L, 0, 10_000_000_000L, 10_000_000_000L);
        assertThat(budget.reduction()).isEqualTo("samples every 20 ms");
    }

    @Test
    void everythingIsRecordedWhileItIsCheap() {
        spend(0.3, 60);
        assertThat(budget.settings()).isEqualTo(RecordingSettings.DEFAULT);
        assertThat(budget.reduction()).isEmpty();
        assertThat(budget.cost()).isEqualTo("0.50 % of its CPU time");
    }

    @Test
    void fewerSamplesAreTakenWhileTheRecorderIsDearest() {
        assertThat(reductions(2, 1))
                .startsWith("samples every 20 ms", "samples every 40 ms")
                .contains("no allocations, samples every 320 ms")
                .endsWith("no allocations, no waits, samples every 320 ms");
        assertThat(budget.settings().cpuInterval()).isEqualTo(Duration.ofMillis(320));
    }

    @Test
    void otherEventsAreLeftOutWhileReadingIsDearest() {
        assertThat(reductions(1, 2))
                .startsWith(
                        "no allocations",
                        "no allocations, no waits",
                        "no allocations, no waits, samples every 20 ms")
                .endsWith("no allocations, no waits, samples every 320 ms");
    }

    /** What is not recorded after each of ten minutes that cost too much. */
    private List<String> reductions(double recorder, double reader) {
        List<String> reductions = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            spend(recorder, reader, 60);
            reductions.add(budget.reduction());
        }
        return reductions;
    }

    @Test
    void aStepIsTakenBackWhenProfilingHasBeenCheapForLong() {
        spend(2, 60);
        for (int i = 0; i < 4; i++) {
            spend(0.1, 60);
        }
        assertThat(budget.reduction()).isEqualTo("samples every 20 ms");
        spend(0.1, 60);
        assertThat(budget.reduction()).isEmpty();
    }

    @Test
    void aStepBackThatDoesNotHoldIsTriedHalfAsOften() {
        assertThat(minutesUntilBack()).isEqualTo(5);
        assertThat(minutesUntilBack()).isEqualTo(10);
        assertThat(minutesUntilBack()).isEqualTo(20);
    }

    @Test
    void nearTheLimitNothingChanges() {
        spend(2, 60);
        for (int i = 0; i < 1000; i++) {
            spend(0.5, 60);
        }
        assertThat(budget.reduction()).isEqualTo("samples every 20 ms");
    }

    @Test
    void anIdleJvmIsNotDeniedTheLittleThatProfilingCosts() {
        spend(0.05, 0.06);
        assertThat(budget.reduction()).isEmpty();
        spend(0.1, 0.1);
        assertThat(budget.reduction()).isEqualTo("samples every 20 ms");
    }

    private int minutesUntilBack() {
        spend(2, 60);
        assertThat(budget.reduction()).isEqualTo("samples every 20 ms");
        int minutes = 0;
        while (!budget.reduction().isEmpty()) {
            spend(0.1, 60);
            minutes++;
        }
        return minutes;
    }

    /** A minute. */
    private void spend(double recorder, double jvm) {
        spend(recorder, 0, jvm);
    }

    private void spend(double recorder, double reader, double jvm) {
        budget.spent(
                (long) (recorder * 1e9),
                (long) (reader * 1e9),
                (long) (jvm * 1e9),
                60_000_000_000L);
    }

    @Test
    void tracingLocksIsTheFirstThingLeftOut() {
        Budget tracing = new Budget(0.01, RecordingSettings.DEFAULT, true);
        assertThat(tracing.tracesLocks()).isTrue();

        tracing.spent(2_000_000_000L, 0, 60_000_000_000L, 60_000_000_000L);
        tracing.spent(2_000_000_000L, 0, 60_000_000_000L, 60_000_000_000L);

        assertThat(tracing.tracesLocks()).isFalse();
        assertThat(tracing.settings()).isEqualTo(RecordingSettings.DEFAULT);
        assertThat(tracing.reduction()).isEqualTo("no locks");
    }
}
