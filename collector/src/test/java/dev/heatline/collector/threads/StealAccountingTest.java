package dev.heatline.collector.threads;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.collector.proc.StealCounting;
import dev.heatline.collector.proc.SystemTimes;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class StealAccountingTest {
    private static final long SECOND = 1_000_000_000;

    private static Look.Times thread(int number, long startTicks, double seconds) {
        return new Look.Times(
                new Look.Key(number, startTicks), "T" + number, (long) (seconds * SECOND), 0);
    }

    private static Look look(
            long ticks, double busy, double steal, double process, Look.Times... threads) {
        return new Look(
                ticks,
                new SystemTimes((long) (busy * SECOND), (long) (steal * SECOND)),
                (long) (process * SECOND),
                List.of(threads));
    }

    private static List<Double> steal(StealAccounting accounting) {
        return accounting.threads().stream().map(it -> it.stealNanos() / (double) SECOND).toList();
    }

    private static List<String> rows(StealAccounting accounting) {
        return accounting.threads().stream()
                .map(
                        it ->
                                it.name()
                                        + " "
                                        + it.cpuNanos() / (double) SECOND
                                        + " "
                                        + it.correctedNanos() / (double) SECOND)
                .toList();
    }

    /** Three threads on three CPUs, two of which stand still for five seconds. */
    @Test
    void theScheduleOf001Figure51() {
        StealAccounting accounting = new StealAccounting(StealCounting.INCLUDED);
        accounting.add(look(1200, 24, 0, 24, thread(1, 0, 12), thread(2, 0, 12), thread(3, 0, 0)));
        assertThat(steal(accounting)).containsExactly(0.0, 0.0, 0.0);
        accounting.add(look(2200, 34, 10, 44, thread(1, 0, 22), thread(2, 0, 21), thread(3, 0, 1)));
        assertThat(steal(accounting)).containsExactly(5.0, 4.5, 0.5);
        assertThat(rows(accounting)).containsExactly("T1 10.0 5.0", "T2 9.0 4.5", "T3 1.0 0.5");
        assertThat(accounting.others()).returns(0L, ThreadUse::stealNanos);
    }

    /** The same where the kernel stops the clocks of threads while their CPU stands still. */
    @Test
    void whatTheKernelLeftOutIsNotSubtractedAgain() {
        for (StealCounting counting :
                new StealCounting[] {StealCounting.EXCLUDED, StealCounting.UNKNOWN}) {
            StealAccounting accounting = new StealAccounting(counting);
            accounting.add(
                    look(1200, 24, 0, 24, thread(1, 0, 12), thread(2, 0, 12), thread(3, 0, 0)));
            accounting.add(
                    look(2200, 34, 10, 34, thread(1, 0, 17), thread(2, 0, 16), thread(3, 0, 1)));
            assertThat(rows(accounting)).containsExactly("T1 10.0 5.0", "T2 8.0 4.0", "T3 2.0 1.0");
        }
    }

    @Test
    void otherProcessesBearTheirPart() {
        StealAccounting accounting = new StealAccounting(StealCounting.INCLUDED);
        accounting.add(look(0, 0, 0, 0, thread(1, 0, 0)));
        accounting.add(look(100, 6, 2, 2, thread(1, 0, 2)));
        assertThat(rows(accounting)).containsExactly("T1 2.0 1.5");
        assertThat(accounting.others())
                .returns(6 * SECOND, ThreadUse::cpuNanos)
                .returns(3 * SECOND / 2, ThreadUse::stealNanos);
        assertThat(accounting.process())
                .returns(2 * SECOND, ThreadUse::cpuNanos)
                .returns(SECOND / 2, ThreadUse::stealNanos);
    }

    @Test
    void aThreadThatStartedSinceTheLastLookCountsFromZero() {
        StealAccounting accounting = new StealAccounting(StealCounting.INCLUDED);
        accounting.add(look(1000, 0, 0, 5));
        accounting.add(look(1100, 4, 0, 9, thread(1, 1000, 3), thread(2, 1099, 1)));
        assertThat(rows(accounting)).containsExactly("T1 3.0 3.0", "T2 1.0 1.0");
    }

    @Test
    void aThreadThatCouldNotBeReadBeforeCountsFromNow() {
        StealAccounting accounting = new StealAccounting(StealCounting.INCLUDED);
        accounting.add(look(1000, 0, 0, 9));
        accounting.add(look(1100, 1, 0, 9, thread(1, 999, 3)));
        accounting.add(look(1200, 2, 0, 10, thread(1, 999, 4)));
        assertThat(rows(accounting)).containsExactly("T1 1.0 1.0");
    }

    @Test
    void whatEndedThreadsUsedIsFoundInTheProcess() {
        StealAccounting accounting = new StealAccounting(StealCounting.INCLUDED);
        accounting.add(look(1000, 0, 0, 10, thread(1, 0, 5), thread(2, 0, 5)));
        accounting.add(look(1100, 4, 4, 18, thread(1, 0, 6)));
        assertThat(rows(accounting))
                .containsExactly("ended threads 7.0 3.5", "T1 1.0 0.5", "T2 0.0 0.0");
    }

    /** Its user and its system time are cut off to hundredths of a second. */
    @Test
    void theProcessLaggingBehindIsNoEndedThread() {
        StealAccounting accounting = new StealAccounting(StealCounting.INCLUDED);
        double[] process = {0.99, 1.98, 3.0, 3.99, 5.01, 5.99};
        for (int i = 0; i < process.length; i++) {
            accounting.add(look(100L * i, 2.0 * i, 0, process[i], thread(1, 0, i)));
        }
        assertThat(rows(accounting)).containsExactly("T1 5.0 5.0");
    }

    @Test
    void anotherThreadWithTheSameNumberIsAnother() {
        StealAccounting accounting = new StealAccounting(StealCounting.INCLUDED);
        accounting.add(look(1000, 0, 0, 7, thread(1, 5, 7)));
        accounting.add(look(1100, 2, 0, 9, thread(1, 1050, 2)));
        assertThat(rows(accounting)).containsExactly("T1 2.0 2.0", "T1 0.0 0.0");
    }

    @Test
    void countersThatGoBackTakeNothingAway() {
        StealAccounting accounting = new StealAccounting(StealCounting.INCLUDED);
        accounting.add(look(1000, 9, 9, 9, thread(1, 0, 9)));
        accounting.add(look(1100, 8, 8, 8, thread(1, 0, 8)));
        assertThat(rows(accounting)).containsExactly("T1 0.0 0.0");
        assertThat(accounting.others()).returns(0L, ThreadUse::stealNanos);
    }

    /**
     * What happens between two looks, in nanoseconds.
     *
     * @param threads CPU times of five threads; one below 0 has ended or not begun
     */
    record Step(long busy, long steal, long unseen, List<Long> threads) {}

    @Provide
    Arbitrary<List<Step>> steps() {
        Arbitrary<Long> nanos = Arbitraries.longs().between(0, 100 * SECOND);
        Arbitrary<Long> maybe = Arbitraries.longs().between(-SECOND, 2 * SECOND);
        return Combinators.combine(nanos, nanos, nanos, maybe.list().ofSize(5))
                .as(Step::new)
                .list()
                .ofMaxSize(8);
    }

    /** However the numbers contradict each other. */
    @Property
    void nothingIsLostNegativeOrToldTwice(
            @ForAll("steps") List<Step> steps, @ForAll StealCounting counting) {
        StealAccounting accounting = new StealAccounting(counting);
        long[] cpu = new long[5];
        long[] started = new long[5];
        long busy = 0;
        long steal = 0;
        long process = 0;
        long used = 0;
        long ticks = 0;
        accounting.add(new Look(ticks, new SystemTimes(0, 0), 0, List.of()));
        for (Step step : steps) {
            List<Look.Times> living = new ArrayList<>();
            for (int i = 0; i < cpu.length; i++) {
                long nanos = step.threads().get(i);
                if (nanos < 0) {
                    cpu[i] = 0;
                    started[i] = ticks + 1;
                } else {
                    cpu[i] += nanos;
                    used += nanos;
                    living.add(new Look.Times(new Look.Key(i, started[i]), "T", cpu[i], 0));
                }
            }
            process = used + step.unseen();
            used = process;
            busy += step.busy();
            steal += step.steal();
            ticks += 100;
            accounting.add(new Look(ticks, new SystemTimes(busy, steal), process, living));
        }
        List<ThreadUse> threads = accounting.threads();
        assertThat(threads)
                .allMatch(it -> it.stealNanos() >= 0)
                .allMatch(it -> it.correctedNanos() >= 0);
        assertThat(accounting.others())
                .matches(it -> it.stealNanos() >= 0)
                .matches(it -> it.correctedNanos() >= -1);
        long ofThreads = threads.stream().mapToLong(ThreadUse::stealNanos).sum();
        assertThat(ofThreads).isEqualTo(accounting.process().stealNanos());
        assertThat(ofThreads + accounting.others().stealNanos()).isEqualTo(steal);
        long counted =
                threads.stream()
                        .mapToLong(
                                it ->
                                        counting == StealCounting.INCLUDED
                                                ? it.cpuNanos()
                                                : it.correctedNanos())
                        .sum();
        assertThat(counted).isBetween(process - 30_000_000, process);
    }
}
