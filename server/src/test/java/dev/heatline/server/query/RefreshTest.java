package dev.heatline.server.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.model.Operations;
import dev.heatline.model.Profile;
import dev.heatline.model.Provenance;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** How a selection is brought up to date, and who waits for that. */
class RefreshTest extends OpenSelections {
    @Test
    void whatIsNewIsAddedAlone() {
        Selections selections = new Selections(store, fresh, DIRECT);
        upload("a", PROFILE);
        Snapshot first = selections.of(all("shop"));
        upload("b", OTHER);
        Snapshot second = selections.of(all("shop"));
        Snapshot third = selections.of(all("shop"));
        assertThat(store.collected())
                .extracting(CountingStore.Collecting::profiles)
                .containsExactly(1L, 1L, 0L);
        assertThat(store.collected())
                .extracting(CountingStore.Collecting::after)
                .containsExactly(0L, first.upTo(), second.upTo());
        assertThat(content(second.profile()))
                .isEqualTo(content(Operations.merge(List.of(PROFILE, OTHER))));
        assertThat(third.profile()).isSameAs(second.profile());
    }

    @Test
    void onlyTheFirstWhoAsksWaits() {
        List<Runnable> later = Collections.synchronizedList(new ArrayList<>());
        QueryOptions patient =
                new QueryOptions(1L << 30, Duration.ZERO, Duration.ZERO, Duration.ofDays(1), clock);
        Selections selections =
                new Selections(store, patient, new Threads(Runnable::run, later::add));
        upload("a", PROFILE);
        Snapshot first = selections.of(all("shop"));
        first.part(Filter.NONE).metrics(Optional.empty());
        upload("b", OTHER);
        time.set(Instant.parse("2026-11-15T12:00:07Z"));
        while (later.isEmpty()) {
            assertThat(selections.of(all("shop"))).isSameAs(first);
        }
        assertThat(selections.of(all("shop"))).isSameAs(first);
        assertThat(later).hasSize(1);
        later.getFirst().run();
        Snapshot second = selections.of(all("shop"));
        assertThat(second.asOf()).isEqualTo("2026-11-15T12:00:07Z");
        assertThat(second.profiles()).isEqualTo(2);
        // What was asked of the first is there already.
        assertThat(second.parts().present()).hasSize(1);
    }

    @Test
    void whatIsQuickIsWaitedFor() {
        AtomicBoolean begun = new AtomicBoolean();
        Selections selections = waiting(Duration.ofDays(1), begun);
        upload("a", PROFILE);
        selections.of(all("shop"));
        upload("b", OTHER);

        assertThat(firstAfter(begun, selections).profiles()).isEqualTo(2);
    }

    /** Who asks waits for so long; says when something has begun in the background. */
    private Selections waiting(Duration patience, AtomicBoolean begun) {
        QueryOptions options =
                new QueryOptions(1L << 30, Duration.ZERO, patience, Duration.ofDays(1), clock);
        Executor background =
                task -> {
                    begun.set(true);
                    Thread.startVirtualThread(task);
                };
        return new Selections(store, options, new Threads(Runnable::run, background));
    }

    /** The answer to the question that has it brought up to date. */
    private static Snapshot firstAfter(AtomicBoolean begun, Selections selections) {
        Snapshot answer = selections.of(all("shop"));
        while (!begun.get()) {
            answer = selections.of(all("shop"));
        }
        return answer;
    }

    @Test
    void whatIsSlowIsNotWaitedFor() {
        AtomicBoolean begun = new AtomicBoolean();
        Selections selections = waiting(Duration.ofNanos(1), begun);
        upload("a", PROFILE);
        Snapshot first = selections.of(all("shop"));
        upload("b", OTHER);
        int permits = store.gate().drainPermits();

        assertThat(firstAfter(begun, selections)).isSameAs(first);
        assertThat(selections.of(all("shop"))).isSameAs(first);

        store.gate().release(permits);
        while (selections.of(all("shop")).profiles() < 2) {
            Thread.onSpinWait();
        }
    }

    @Test
    void aRangeThatMovesIsReadAgainASixtiethOfItsLengthLater() {
        Selections selections = new Selections(store, fresh, DIRECT);
        upload("a", PROFILE);
        Scope lastHours =
                all("shop").between(Optional.of(Moment.parse("from", "now-3h")), Optional.empty());
        assertThat(selections.of(lastHours).profiles()).isEqualTo(1);
        time.set(Instant.parse("2026-11-15T12:02:59Z"));
        upload("b", PROFILE);
        assertThat(selections.of(lastHours).selection().from()).isEqualTo("2026-11-15T09:00:00Z");
        time.set(Instant.parse("2026-11-15T12:03:00Z"));
        assertThat(selections.of(lastHours).selection().from()).isEqualTo("2026-11-15T09:03:00Z");
        assertThat(store.collected())
                .extracting(reading -> reading.after() == 0)
                .containsExactly(true, false, true);
        time.set(Instant.parse("2026-11-16T12:00:00Z"));
        assertThat(selections.of(lastHours).profiles()).isZero();
    }

    @Test
    void aPartThatTakesLongKeepsNobodyFromWhatIsNew() {
        List<Runnable> later = Collections.synchronizedList(new ArrayList<>());
        Selections selections =
                new Selections(store, fresh, new Threads(Runnable::run, later::add));
        upload("a", PROFILE);
        Filter threads = new Filter(Optional.of("."), Optional.empty(), List.of());
        selections.of(all("shop")).part(threads);
        upload("b", OTHER);
        Snapshot second = selections.of(all("shop"));
        assertThat(second.profiles()).isEqualTo(2);
        assertThat(second.parts().present()).isEmpty();
        later.forEach(Runnable::run);
        assertThat(second.parts().present()).hasSize(1);
    }

    @Test
    void afterAnHourAllIsReadAgainSinceTheStoreForgets() {
        Selections selections = new Selections(store, fresh, DIRECT);
        upload("a", PROFILE);
        selections.of(all("shop"));
        time.set(Instant.parse("2026-11-15T13:00:01Z"));
        selections.of(all("shop"));
        assertThat(store.collected().getLast().after()).isZero();
    }

    private static Profile content(Profile profile) {
        return profile.withProvenance(Provenance.NONE);
    }
}
