package dev.heatline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.collector.jvm.Jvm;
import dev.heatline.collector.proc.StealCounting;
import dev.heatline.collector.proc.Throttling;
import dev.heatline.collector.threads.ThreadUse;
import dev.heatline.collector.threads.ThreadWatch;
import dev.heatline.model.Execution;
import dev.heatline.wire.ProcessKey;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is said of a JVM on a machine whose hypervisor steals. */
class ThreadsAnswerTest {
    private static final long SECOND = 1_000_000_000;

    private static ThreadsAnswer answer(long stealNanos, StealCounting counting) {
        Jvm jvm =
                new Jvm(
                        new ProcessKey(7, "1"),
                        "shop.Main",
                        "17",
                        "me",
                        new Execution("shop", "", ""),
                        "",
                        Optional.empty(),
                        Optional.empty());
        ThreadUse worker = new ThreadUse(8, "worker", SECOND, stealNanos, SECOND / 4);
        ThreadUse idle = new ThreadUse(9, "idle", 0, 0, 0);
        ThreadUse others = new ThreadUse(0, "", SECOND, stealNanos, 0);
        return new ThreadsAnswer(
                jvm,
                new ThreadWatch.Seen(
                        SECOND,
                        2,
                        counting,
                        List.of(worker, idle),
                        worker,
                        others,
                        new Throttling.Amount(3, SECOND / 2)),
                false,
                List.of());
    }

    @Test
    void theTableIsAligned() {
        assertThat(answer(SECOND / 100, StealCounting.INCLUDED).text())
                .isEqualTo(
                        """
                        threads: JVM 7 (shop.Main), 1.0 s, 2 looks
                        the machine used 2.00 s of CPU time, 0.02 s of it stolen (1.0 %); this JVM 1.00 s, 0.01 s of it stolen (1.0 %)
                        the kernel's CPU times have stolen time in them
                        throttled 3 times by its CPU limit, 0.50 s of all CPUs together; that is not steal, and a higher limit ends it

                        cpu s  steal s  corrected s  run queue s       %  thread
                        1.000    0.010        0.990        0.250  100.00  worker
                        1 more thread used nothing
                        """);
    }

    @Test
    void muchStolenTimeIsAWarning() {
        ThreadsAnswer answer = answer(SECOND / 20, StealCounting.UNKNOWN);
        String warning = "warning: 5.0 % of the CPU time was stolen by the hypervisor";
        assertThat(answer.text()).contains(warning, "the kernel does not tell whether");
        Parsed json = Parsed.of(Json.text(answer::writeTo));
        assertThat(json.at("remarks.0").text()).startsWith(warning);
        assertThat(json.at("stealInCpuTimes").text()).isEqualTo("unknown");
        assertThat(json.at("rows.0.corrected").number()).isEqualTo(0.95);
        assertThat(json.at("throttled.times").number()).isEqualTo(3);
    }
}
