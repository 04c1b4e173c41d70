package dev.heatline.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.model.Column;
import dev.heatline.model.Profile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Calls of a JVM, measured by its collector because somebody asks the server for it. */
class MeasureTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String READ = "read-read-read-read";
    private static final String INGEST = "ingest-ingest-ingest";
    private static final String MEASURE = "measure-measure-measure";

    @TempDir private Path temp;

    private final List<Process> processes = new ArrayList<>();

    static List<Path> jvms() {
        return Product.jvms();
    }

    @AfterEach
    void end() throws InterruptedException {
        for (Process each : processes.reversed()) {
            each.destroy();
            each.waitFor();
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void callsAreMeasuredForWhoMayAskForIt(Path jvm) throws Exception {
        Path log = Files.createFile(temp.resolve("log.txt"));
        Process program = started(Product.started(log, program(jvm)));
        String address = "127.0.0.1:" + Product.freePort();
        String api = "http://" + address + "/api/v1/";
        started(serve(log, address));
        started(collect(log, address, program.pid()));

        String order = order(log, api);
        assertThat(Product.send("POST", order, READ).statusCode()).isEqualTo(403);
        assertThat(Product.send("POST", order, INGEST).statusCode()).isEqualTo(403);

        // As often as wanted, each with all that was called.
        long orders = measured(log, api, order, 0);
        measured(log, api, order, orders);
        assertThat(program.isAlive()).isTrue();
    }

    @Test
    void aCollectorThatWasKilledLeavesNothingBehind() throws Exception {
        Path log = Files.createFile(temp.resolve("log.txt"));
        Process program = started(Product.started(log, program(Product.JVM_25)));
        String address = "127.0.0.1:" + Product.freePort();
        String api = "http://" + address + "/api/v1/";
        started(serve(log, address));
        Process collector = started(collect(log, address, program.pid()));

        String id = Product.field(Product.send("POST", order(log, api), MEASURE).body(), "id");
        awaitItems(log, api, id);
        collector.destroyForcibly().waitFor();
        await(
                log,
                api + "measurement?id=" + id,
                text -> text.contains("the collector does not report any more"));
        // By then the JVM has taken everything back by itself, and can be measured again.
        started(collect(log, address, program.pid()));
        long orders = measured(log, api, order(log, api), 0);

        String last = Product.field(Product.send("POST", order(log, api), MEASURE).body(), "id");
        awaitItems(log, api, last);
        program.destroyForcibly().waitFor();
        await(
                log,
                api + "measurement?id=" + last,
                text -> text.contains("\"message\":\"the JVM has ended\""));
        Product.await(
                "what was measured of it",
                log,
                PATIENCE,
                it -> calls(it, "order") > orders,
                () -> Product.profile(api + "export?app=ordering&format=heat", READ));
    }

    /** What asks for a measurement, of the only JVM. */
    private static String order(Path log, String api) throws Exception {
        String there = await(log, api + "jvms?app=ordering", text -> text.contains("\"found\":1,"));
        return api
                + "measurements?seconds=600&root=Ordering::order&jvm="
                + Product.field(there, "jvm");
    }

    /** Measures a while; how many orders are known of all measurements then. */
    private long measured(Path log, String api, String order, long before) throws Exception {
        String id = Product.field(Product.send("POST", order, MEASURE).body(), "id");
        assertThat(Product.send("POST", order, MEASURE).statusCode()).isEqualTo(409);
        awaitItems(log, api, id);
        assertThat(Product.send("DELETE", api + "measurements?id=" + id, READ).statusCode())
                .isEqualTo(403);
        Product.send("DELETE", api + "measurements?id=" + id, MEASURE);
        await(log, api + "measurement?id=" + id, text -> text.contains("\"state\":\"ended\""));

        Profile profile =
                Product.await(
                        "the measured calls",
                        log,
                        PATIENCE,
                        it -> calls(it, "order") > before,
                        () -> Product.profile(api + "export?app=ordering&format=heat", READ));
        assertThat(calls(profile, "item")).isEqualTo(Ordering.ITEMS * calls(profile, "order"));
        return calls(profile, "order");
    }

    private static void awaitItems(Path log, String api, String id) throws Exception {
        await(
                log,
                api + "measurement?id=" + id,
                text -> text.contains("Ordering.item(int)") || text.contains("\"failed\""));
    }

    private static long calls(Profile profile, String method) {
        return profile.column("calls").map(column -> calls(profile, column, method)).orElse(0L);
    }

    private static long calls(Profile profile, Column column, String method) {
        long sum = 0;
        for (int row = 0; row < column.rows(); row++) {
            int consumer = profile.consumer(column.node(row));
            if (profile.consumerAt(consumer).name().equals(method)) {
                sum += column.value(row);
            }
        }
        return sum;
    }

    private static String await(Path log, String question, Predicate<String> good)
            throws Exception {
        return Product.await(question, log, PATIENCE, good, () -> Product.get(question, READ));
    }

    private Process started(Process process) {
        processes.add(process);
        return process;
    }

    /** From its source, because the class file is for the JVM that runs the tests. */
    private static List<String> program(Path jvm) {
        return List.of(
                jvm.resolve("bin/java").toString(),
                "-Dheatline.app=ordering",
                "-XX:+EnableDynamicAgentLoading",
                "src/test/java/dev/heatline/systemtests/Ordering.java");
    }

    private Process serve(Path log, String address) throws IOException {
        Path tokens =
                secret(
                        "tokens",
                        "read %s\ningest %s\nmeasure %s\n".formatted(READ, INGEST, MEASURE));
        return Product.heatline(
                log,
                "serve",
                "--listen",
                address,
                "--data",
                temp.resolve("data").toString(),
                "--token-file",
                tokens.toString());
    }

    private Process collect(Path log, String address, long pid) throws IOException {
        return Product.heatline(
                log,
                "collect",
                "--server",
                "http://" + address,
                "--token-file",
                secret("token", INGEST).toString(),
                "--spool",
                temp.resolve("spool").toString(),
                "--jvms",
                Long.toString(pid),
                "--measure");
    }

    private Path secret(String name, String text) throws IOException {
        Path file = Files.writeString(temp.resolve(name), text);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }
}
