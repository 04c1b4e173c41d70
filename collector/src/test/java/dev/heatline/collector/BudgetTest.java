package dev.heatline.collector;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.wire.RecordingSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What an interval may cost, and what happens when it costs more. Times are in seconds. */
class BudgetTest {
    private final Budget budget = new Budget(0.01, RecordingSettings.DEFAULT);

    @Test
    void everythingIsRecordedWhileItIsCheap() {
        spend(0.3, 60);
        assertThat(budget.settings()).isEqualTo(RecordingSettings.DEFAULT);
        assertThat(budget.reduction()).isEmpty();
        assertThat(budget.cost()).isEqualTo("0.50 % of its CPU time");
    }

    @Test
    void everyIntervalThatCostsTooMuchTakesOneStepTheDearestFirst() {
        List<String> reductions = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            spend(2, 60);
            reductions.add(budget.reduction());
        }
        assertThat(reductions)
                .startsWith(
                        "no allocations",
                        "no allocations, no waits",
                        "no allocations, no waits, samples every 20 ms")
                .endsWith("no allocations, no waits, samples every 320 ms");
        assertThat(budget.settings().cpuInterval()).isEqualTo(Duration.ofMillis(320));
    }

    @Test
    void aStepIsTakenBackWhenProfilingHasBeenCheapForLong() {
        spend(2, 60);
        for (int i = 0; i < 4; i++) {
            spend(0.1, 60);
        }
        assertThat(budget.reduction()).isEqualTo("no allocations");
        spend(0.1, 60);
        assertThat(budget.reduction()).isEmpty();
    }

    @Test
    void aStepBackThatDoesNotHoldIsTriedHalfAsOften() {
        assertThat(intervalsUntilBack()).isEqualTo(5);
        assertThat(intervalsUntilBack()).isEqualTo(10);
        assertThat(intervalsUntilBack()).isEqualTo(20);
    }

    @Test
    void nearTheLimitNothingChanges() {
        spend(2, 60);
        for (int i = 0; i < 1000; i++) {
            spend(0.5, 60);
        }
        assertThat(budget.reduction()).isEqualTo("no allocations");
    }

    @Test
    void anIdleJvmIsNotDeniedTheLittleThatProfilingCosts() {
        spend(0.05, 0.06);
        assertThat(budget.reduction()).isEmpty();
        spend(0.1, 0.1);
        assertThat(budget.reduction()).isEqualTo("no allocations");
    }

    private int intervalsUntilBack() {
        spend(2, 60);
        assertThat(budget.reduction()).isEqualTo("no allocations");
        int intervals = 0;
        while (!budget.reduction().isEmpty()) {
            spend(0.1, 60);
            intervals++;
        }
        return intervals;
    }

    /** An interval of a minute. */
    private void spend(double profiling, double jvm) {
        budget.spent((long) (profiling * 1e9), (long) (jvm * 1e9), 60_000_000_000L);
    }
}
