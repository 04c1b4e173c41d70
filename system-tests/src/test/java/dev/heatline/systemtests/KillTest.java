package dev.heatline.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.formats.FormatException;
import dev.heatline.formats.ReadOptions;
import dev.heatline.formats.Source;
import dev.heatline.formats.jfr.JfrFormat;
import dev.heatline.model.Column;
import dev.heatline.model.Operations;
import dev.heatline.model.Profile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Server and collector are killed again and again; nothing is lost and nothing counted twice. */
class KillTest {
    /** On all JVMs together. */
    private static final int KILLS = 52;

    /** So often the recorder is made to begin a new chunk. */
    private static final int KILLS_PER_CHUNK = 5;

    private static final int LONGEST_LIFE_MILLIS = 6_000;

    private static final int ENOUGH_SAMPLES = 500;

    /** A collector takes so long to start and to follow its first JVM. */
    private static final int BEGINNING_MILLIS = 5_000;

    private static final AtomicInteger COUNT = new AtomicInteger();

    /** Of which there is one on each JVM at the same time. */
    private final String app = "killed" + COUNT.incrementAndGet();

    static List<Path> jvms() {
        return Product.jvms();
    }

    @ParameterizedTest
    @MethodSource("jvms")
    @Execution(ExecutionMode.CONCURRENT)
    void whatTheJvmRecordedIsWhatTheServerKnows(Path jvm, @TempDir Path temp) throws Exception {
        long seed = System.nanoTime();
        System.out.println("seed of the kills on " + jvm + ": " + seed);
        Random random = new Random(seed);
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
        Process server = serve(log, temp, address);
        Process collector = collect(log, temp, address);
        try {
            int kills = Math.ceilDiv(KILLS, jvms().size());
            for (int kill = 1; kill <= kills; kill++) {
                if (kill % KILLS_PER_CHUNK == 0) {
                    beginChunks(log, jvm, shop);
                }
                LockSupport.parkNanos(random.nextLong(LONGEST_LIFE_MILLIS * 1_000_000L));
                if (random.nextBoolean()) {
                    server.destroyForcibly().waitFor();
                    server = serve(log, temp, address);
                } else {
                    collector.destroyForcibly().waitFor();
                    collector = collect(log, temp, address);
                }
            }
            // How long all lives were together is left to chance.
            Product.await(
                    "enough samples",
                    log,
                    Duration.ofSeconds(60),
                    known -> samples(totals(known)) > ENOUGH_SAMPLES,
                    () -> recorded(repository));
            collector.destroyForcibly().waitFor();
            collector = collect(log, temp, address);
            // The JVM dies before, while or after the new collector begins to follow it.
            LockSupport.parkNanos(random.nextLong(BEGINNING_MILLIS * 1_000_000L));
            Product.await("a recording", log, Duration.ofSeconds(60), () -> recorded(repository));
            shop.destroyForcibly().waitFor();
            Map<String, Long> expected = totals(recorded(repository).orElseThrow());

            String question = "http://" + address + "/api/v1/export?format=heat&app=" + app;
            Product.awaitEqual(
                    expected,
                    log,
                    Duration.ofSeconds(90),
                    () -> Product.profile(question).map(KillTest::totals));
            Product.await(
                    "an empty spool",
                    log,
                    Duration.ofSeconds(60),
                    () -> isEmpty(temp.resolve("spool")) ? Optional.of(true) : Optional.empty());
            assertThat(Product.profile(question).map(KillTest::totals)).contains(expected);
            System.out.println("after " + kills + " kills on " + jvm + ": " + expected);
        } finally {
            shop.destroyForcibly();
            collector.destroyForcibly();
            server.destroyForcibly().waitFor();
        }
    }

    private static Process serve(Path log, Path temp, String address) throws IOException {
        return Product.heatline(
                log, "serve", "--listen", address, "--data", temp.resolve("data").toString());
    }

    private Process collect(Path log, Path temp, String address) throws IOException {
        return Product.heatline(
                log,
                "collect",
                "--server",
                "http://" + address,
                "--spool",
                temp.resolve("spool").toString(),
                "--interval",
                "1s",
                "--budget",
                "100%",
                "--jvms",
                "^" + app + "$");
    }

    /** Starting and stopping another recording begins a new chunk each. */
    private static void beginChunks(Path log, Path jvm, Process shop) throws Exception {
        String jcmd = jvm.resolve("bin/jcmd").toString();
        String pid = String.valueOf(shop.pid());
        for (List<String> command :
                List.of(
                        List.of(jcmd, pid, "JFR.start", "name=other", "settings=none"),
                        List.of(jcmd, pid, "JFR.stop", "name=other"))) {
            assertThat(Product.started(log, command).waitFor()).isZero();
        }
    }

    private static boolean isEmpty(Path spool) throws IOException {
        try (Stream<Path> files = Files.list(spool)) {
            return files.noneMatch(file -> file.toString().endsWith(".entry"));
        }
    }

    /** All that is in the chunks of the one JVM that records there; empty as long as none is. */
    static Optional<Profile> recorded(Path repository) throws IOException {
        List<Profile> chunks = new ArrayList<>();
        try (Stream<Path> files = Files.walk(repository)) {
            for (Path file : files.filter(name -> name.toString().endsWith(".jfr")).toList()) {
                read(file).ifPresent(chunks::add);
            }
        }
        return chunks.isEmpty() ? Optional.empty() : Optional.of(Operations.merge(chunks));
    }

    /** Empty as long as nothing was flushed into it. */
    private static Optional<Profile> read(Path chunk) {
        try (Source source = Source.open(chunk)) {
            return Optional.of(new JfrFormat().read(source, ReadOptions.DEFAULT));
        } catch (FormatException e) {
            return Optional.empty();
        }
    }

    /** By the clock, or by CPU time where the JVM can. */
    static long samples(Map<String, Long> totals) {
        return totals.getOrDefault("samples", 0L) + totals.getOrDefault("cpu-samples", 0L);
    }

    static Map<String, Long> totals(Profile profile) {
        Map<String, Long> totals = new TreeMap<>();
        for (Column column : profile.columns()) {
            totals.put(column.resource().name(), column.total());
        }
        // Seen of threads from outside, and in no recording.
        totals.keySet().removeAll(Set.of("corrected", "steal"));
        return totals;
    }
}
