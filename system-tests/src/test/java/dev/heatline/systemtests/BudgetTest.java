package dev.heatline.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.collector.Collector;
import dev.heatline.collector.CollectorOptions;
import dev.heatline.model.Profile;
import dev.heatline.model.Provenance;
import dev.heatline.wire.RecordingSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A budget that nothing can keep: all steps are taken, shown everywhere, and lose no sample. */
class BudgetTest {
    private static final double NEXT_TO_NOTHING = 1e-9;
    private static final Duration PERIOD = Duration.ofSeconds(2);
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    /** What is left out when all steps have been taken. */
    private static final String REDUCED = "no allocations, no waits, samples every 320 ms";

    private static final int STEPS = 7;

    private static final AtomicInteger COUNT = new AtomicInteger();

    /** Of which there is one on each JVM at the same time. */
    private final String app = "dear" + COUNT.incrementAndGet();

    private final List<String> said = new CopyOnWriteArrayList<>();

    static List<Path> jvms() {
        return Product.jvms();
    }

    @ParameterizedTest
    @MethodSource("jvms")
    @Execution(ExecutionMode.CONCURRENT)
    void lessIsRecordedStepByStepAndThatIsShown(Path jvm, @TempDir Path temp) throws Exception {
        Path log = Files.createFile(temp.resolve("log.txt"));
        Path repository = Files.createDirectory(temp.resolve("repository"));
        String address = "127.0.0.1:" + Product.freePort();
        Process shop =
                Product.shop(
                        log,
                        jvm,
                        "1.0",
                        "-Dheatline.app=" + app,
                        "-XX:FlightRecorderOptions=repository=" + repository);
        Process server =
                Product.heatline(
                        log,
                        "serve",
                        "--listen",
                        address,
                        "--data",
                        temp.resolve("data").toString());
        keepChunks(log, jvm, shop);
        try (Collector collector = collector(temp, address)) {
            String metrics =
                    Product.await(
                            "all steps",
                            log,
                            PATIENCE,
                            text -> text.contains("reduction=\"" + REDUCED + "\""),
                            () -> Product.get("http://" + address + "/metrics"));
            assertThat(metrics).containsPattern("count=\"profiling cpu us\"\\} [1-9]");
            assertThat(said)
                    .as("steps")
                    .hasSize(STEPS)
                    .allMatch(remark -> remark.contains(": profiling took "));
            assertThat(said.getLast()).endsWith(", now " + REDUCED);
            assertThat(list(temp).lines())
                    .anyMatch(line -> line.contains(app) && line.contains("; reduced: " + REDUCED));

            String question = "http://" + address + "/api/v1/export?format=heat&app=" + app;
            Profile reduced = Product.profile(question).orElseThrow();
            assertThat(reduced.provenance().fact(Provenance.REDUCED)).contains(REDUCED);
            Product.await(
                    "samples every 320 ms",
                    log,
                    PATIENCE,
                    profile -> samples(profile) > samples(reduced),
                    () -> Product.profile(question));
            shop.destroyForcibly().waitFor();
            Map<String, Long> recorded =
                    KillTest.totals(KillTest.recorded(repository).orElseThrow());
            Product.awaitEqual(
                    recorded, log, PATIENCE, () -> Product.profile(question).map(KillTest::totals));
            assertThat(collector).isNotNull();
            System.out.println("with all steps taken on " + jvm + ": " + recorded + "\n" + said);
        } finally {
            shop.destroyForcibly();
            server.destroyForcibly().waitFor();
        }
    }

    /** What a recording that was stopped has left is deleted, unless another one is on. */
    private static void keepChunks(Path log, Path jvm, Process shop) throws Exception {
        Product.await(
                "the shop",
                log,
                PATIENCE,
                text -> text.contains("shop 1.0 at "),
                () -> Optional.of(Files.readString(log)));
        List<String> command =
                List.of(
                        jvm.resolve("bin/jcmd").toString(),
                        String.valueOf(shop.pid()),
                        "JFR.start",
                        "name=other",
                        "settings=none");
        assertThat(Product.started(log, command).waitFor()).isZero();
    }

    private Collector collector(Path temp, String address) {
        return Collector.start(
                new CollectorOptions(
                        "http://" + address,
                        Optional.empty(),
                        Optional.empty(),
                        temp.resolve("spool"),
                        1 << 26,
                        Duration.ofSeconds(1),
                        NEXT_TO_NOTHING,
                        RecordingSettings.DEFAULT,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(Pattern.compile("^" + app + "$"))),
                PERIOD,
                said::add);
    }

    private static long samples(Profile profile) {
        return KillTest.samples(KillTest.totals(profile));
    }

    /** What {@code heatline list} says. */
    private static String list(Path temp) throws IOException, InterruptedException {
        Path listed = Files.createFile(temp.resolve("list.txt"));
        assertThat(Product.heatline(listed, "list").waitFor()).isZero();
        return Files.readString(listed);
    }
}
