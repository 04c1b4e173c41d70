package dev.heatline.server.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heatline.model.ModelException;
import dev.heatline.model.Operations;
import dev.heatline.store.Selection;
import dev.heatline.store.Store;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;

/** What is merged when, and how much of that is kept. */
class SelectionsTest extends OpenSelections {
    @Test
    void makingOneSelectionKeepsNoOtherWaiting() throws Exception {
        Selections selections = new Selections(store, QueryOptions.DEFAULTS, DIRECT);
        upload("a", PROFILE);
        selections.of(all("shop"));
        int permits = store.gate().drainPermits();
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            Future<Snapshot> slow = threads.submit(() -> selections.of(instance("a")));
            while (!store.gate().hasQueuedThreads()) {
                Thread.onSpinWait();
            }
            assertThat(selections.of(all("shop")).profiles()).isEqualTo(1);
            assertThat(slow.isDone()).isFalse();
            store.gate().release(permits);
            assertThat(slow.get().profiles()).isEqualTo(1);
        }
    }

    @Test
    void manyWhoAskAtOnceHaveItMergedOnce() {
        Selections selections = new Selections(store, QueryOptions.DEFAULTS, DIRECT);
        upload("a", PROFILE);
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            List<CompletableFuture<Snapshot>> answers = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                answers.add(
                        CompletableFuture.supplyAsync(() -> selections.of(all("shop")), threads));
            }
            assertThat(answers.stream().map(CompletableFuture::join).distinct()).hasSize(1);
        }
        assertThat(store.collected()).hasSize(1);
    }

    @Test
    void theOldestAreForgottenWhenMemoryIsFull() {
        upload("a", PROFILE);
        upload("b", PROFILE);
        upload("c", PROFILE);
        QueryOptions small = fresh.withMaxBytes(Weight.of(PROFILE) * 5 / 2);
        Selections selections = new Selections(store, small, DIRECT);
        selections.of(instance("a"));
        selections.of(instance("b"));
        assertThat(selections.size()).isEqualTo(2);
        selections.of(instance("a"));
        selections.of(instance("c"));
        assertThat(selections.size()).isEqualTo(2);
        assertThat(selections.bytes()).isLessThanOrEqualTo(small.maxBytes());
        store.collected().clear();
        selections.of(instance("a"));
        assertThat(store.collected().getFirst().after()).isPositive();
        selections.of(instance("b"));
        assertThat(store.collected().getLast().after()).isZero();
    }

    @Test
    void smallSelectionsAreBoundedToo() {
        upload("a", PROFILE);
        Selections selections = new Selections(store, fresh.withMaxBytes(50 * 250_000L), DIRECT);
        for (int day = 1; day < 100; day++) {
            Moment until = new Moment.Fixed(Instant.EPOCH.plus(Duration.ofDays(day)));
            selections.of(all("shop").between(Optional.empty(), Optional.of(until)));
        }
        assertThat(selections.size()).isEqualTo(50);
    }

    @Test
    void bothEndsOfARangeMoveTogether() {
        Scope month =
                all("shop")
                        .between(
                                Optional.of(Moment.parse("from", "now-30d")),
                                Optional.of(Moment.parse("until", "now-717h")));
        for (int minute = 0; minute < 60 * 24; minute++) {
            Instant now = time.get().plus(Duration.ofMinutes(minute));
            assertThat(month.at(now).from()).isBefore(month.at(now).until());
        }
        Scope days =
                all("shop").between(Optional.of(Moment.parse("from", "now-30d")), Optional.empty());
        assertThat(days.at(Instant.parse("2026-11-15T11:59:59Z")).from())
                .isEqualTo("2026-10-16T00:00:00Z");
        assertThat(days.at(Instant.parse("2026-11-15T12:00:00Z")).from())
                .isEqualTo("2026-10-16T12:00:00Z");
    }

    @Test
    void whatCouldNotBeComputedIsNotPrepared() {
        Selections selections = new Selections(store, fresh, DIRECT);
        upload("a", PROFILE);
        Snapshot first = selections.of(all("shop"));
        Filter nobody = new Filter(Optional.of("no such thread"), Optional.empty(), List.of());
        assertThatThrownBy(() -> first.part(nobody)).isInstanceOf(ModelException.class);
        assertThat(first.parts().asked()).isEmpty();
    }

    @Test
    void whatDoesNotFitIsNotMerged() {
        upload("a", PROFILE);
        long tooFew = Weight.size(PROFILE) * 32 / 2;
        Selections selections = new Selections(store, fresh.withMaxBytes(tooFew), DIRECT);
        assertThatThrownBy(() -> selections.of(all("shop")))
                .isInstanceOfSatisfying(
                        QueryException.class, e -> assertThat(e.status()).isEqualTo(413))
                .hasMessageContaining("ask for a shorter time");
    }

    @Test
    void theOneThatIsKeptInAnyCaseLosesItsParts() {
        upload("a", PROFILE);
        Selections selections =
                new Selections(store, fresh.withMaxBytes(Weight.size(PROFILE) * 49), DIRECT);
        Snapshot snapshot = selections.of(all("shop"));
        for (String name : List.of(".", "..", "...", "....")) {
            snapshot.part(new Filter(Optional.of(name), Optional.empty(), List.of())).folded();
        }
        assertThat(selections.of(all("shop"))).isNotNull();
        assertThat(snapshot.parts().present()).isEmpty();
    }

    @Test
    void twoSelectionsAreMergedAtATime() throws Exception {
        Selections selections = new Selections(store, QueryOptions.DEFAULTS, DIRECT);
        for (String instance : List.of("a", "b", "c", "d")) {
            upload(instance, PROFILE);
        }
        int permits = store.gate().drainPermits();
        List<Thread> asking = new ArrayList<>();
        for (String instance : List.of("a", "b", "c", "d")) {
            asking.add(Thread.ofPlatform().start(() -> selections.of(instance(instance))));
        }
        while (!asking.stream().allMatch(SelectionsTest::waits)) {
            Thread.onSpinWait();
        }
        assertThat(store.gate().getQueueLength()).isEqualTo(2);
        store.gate().release(permits);
        for (Thread thread : asking) {
            thread.join();
        }
        assertThat(store.collected()).hasSize(4);
    }

    @Test
    void whoReadsAgainAndAgainLetsOthersIn() throws Exception {
        upload("a", PROFILE);
        upload("b", PROFILE);
        List<String> begun = new CopyOnWriteArrayList<>();
        Semaphore gate = new Semaphore(0);
        Merging merging = new Merging(gated(begun, gate), fresh);
        Runnable again =
                () -> {
                    for (int i = 0; i < 3; i++) {
                        merging.whole(instance("a").at(clock.instant()));
                    }
                };
        List<Thread> asking = new ArrayList<>();
        asking.add(Thread.ofPlatform().start(again));
        asking.add(Thread.ofPlatform().start(again));
        while (begun.size() < 2) {
            Thread.onSpinWait();
        }
        Selection other = instance("b").at(clock.instant());
        Thread once = Thread.ofPlatform().start(() -> merging.whole(other));
        asking.add(once);
        while (once.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        assertThat(begun).isEqualTo(List.of("[a]", "[a]"));
        gate.release();
        while (begun.size() < 3) {
            Thread.onSpinWait();
        }
        assertThat(begun.getLast()).isEqualTo("[b]");
        gate.release(6);
        for (Thread thread : asking) {
            thread.join();
        }
        assertThat(begun).hasSize(7);
    }

    /** The store, where each reading notes its instances and then waits to be let in. */
    private Store gated(List<String> begun, Semaphore gate) {
        return (Store)
                Proxy.newProxyInstance(
                        Store.class.getClassLoader(),
                        new Class<?>[] {Store.class},
                        (_, method, arguments) -> {
                            begun.add(((Selection) arguments[0]).instances().toString());
                            gate.acquire();
                            return method.invoke(store, arguments);
                        });
    }

    @Test
    void whatDoesNotFitTogetherIsNotCompared() {
        long size = Weight.size(PROFILE);
        Merging both = new Merging(store, fresh.withMaxBytes(2 * size * 48));
        assertThat(both.compared(PROFILE, PROFILE, Operations::compare).nodeCount())
                .isEqualTo(PROFILE.nodeCount());
        Merging one = new Merging(store, fresh.withMaxBytes((2 * size - 1) * 48));
        assertThatThrownBy(() -> one.compared(PROFILE, PROFILE, Operations::compare))
                .isInstanceOfSatisfying(
                        QueryException.class, e -> assertThat(e.status()).isEqualTo(413))
                .hasMessageStartingWith("what is compared has more than " + (2 * size - 1));
    }

    @Test
    void theCatalogueIsReadOncePerMoment() {
        upload("a", PROFILE);
        QueryOptions patient =
                new QueryOptions(1L << 30, Duration.ofDays(1), Duration.ZERO, Duration.ZERO, clock);
        Executions executions = new Executions(store, patient);
        assertThat(executions.all()).containsKey("shop");
        assertThat(executions.now("shop")).hasSize(1);
        assertThat(executions.all()).containsKey("shop");
        assertThat(store.catalogsRead()).hasValue(1);
        Executions impatient = new Executions(store, fresh);
        impatient.all();
        impatient.all();
        assertThat(store.catalogsRead()).hasValue(3);
    }

    private static boolean waits(Thread thread) {
        return thread.getState() == Thread.State.WAITING
                || thread.getState() == Thread.State.TIMED_WAITING;
    }
}
