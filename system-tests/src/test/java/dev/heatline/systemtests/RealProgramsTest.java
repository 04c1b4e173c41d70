package dev.heatline.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.formats.Formats;
import dev.heatline.formats.ReadOptions;
import dev.heatline.model.Column;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.eclipse.jdt.internal.compiler.batch.Main;
import org.h2.tools.Shell;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Programs of others: every call of theirs is measured, and they do what they always do. */
class RealProgramsTest {
    private static final int PATIENCE_MINUTES = 5;

    /** What customers of the shop look for. */
    private static final List<String> WORDS =
            List.of("amber", "birch", "candle", "desk", "felt", "garden", "honey", "iron", "lamp");

    @TempDir private Path temp;

    static List<Path> jvms() {
        return Product.jvms();
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void aCompilerCompilesTheSame(Path jvm) throws Exception {
        Path plain = temp.resolve("plain");
        Path measured = temp.resolve("measured");
        assertThat(run("plain", compiling(jvm, plain))).isEmpty();
        assertThat(run("measured", measuring(compiling(jvm, measured)))).isEmpty();

        assertThat(classes(plain)).isNotEmpty();
        assertThat(classes(measured).keySet()).isEqualTo(classes(plain).keySet());
        classes(plain)
                .forEach(
                        (name, bytes) ->
                                assertThat(Arrays.equals(classes(measured).get(name), bytes))
                                        .as(name)
                                        .isTrue());
        assertThat(calls()).isGreaterThan(1_000_000);
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void aDatabaseAnswersTheSame(Path jvm) throws Exception {
        List<String> asking =
                List.of(
                        java(jvm),
                        "-cp",
                        jar(Shell.class),
                        Shell.class.getName(),
                        "-url",
                        "jdbc:h2:mem:",
                        "-sql",
                        "CREATE TABLE T AS SELECT X, MOD(X, 7) M FROM SYSTEM_RANGE(1, 20000);"
                                + " CREATE INDEX I ON T(M);"
                                + " SELECT M, COUNT(*), SUM(X) FROM T GROUP BY M ORDER BY M");
        String answer = untimed(run("plain", asking));
        assertThat(answer).contains("28578571");
        assertThat(untimed(run("measured", measuring(asking)))).isEqualTo(answer);
        assertThat(calls()).isGreaterThan(1_000_000);
    }

    /** Each customer of the shop buys something, in turns, so orders have the same numbers. */
    @ParameterizedTest
    @MethodSource("jvms")
    void aShopAnswersTheSame(Path jvm) throws Exception {
        List<String> shop =
                List.of(
                        java(jvm),
                        "-jar",
                        Product.folder("examples/shop/target/shop.jar").toString(),
                        "--port",
                        "0",
                        "--until-eof");
        List<String> answers = answers("plain", shop);
        assertThat(answers)
                .filteredOn(answer -> answer.startsWith("200"))
                .hasSize(12 * WORDS.size());
        assertThat(answers("measured", measuring(shop))).isEqualTo(answers);
        assertThat(calls()).isGreaterThan(1_000_000);
    }

    private List<String> answers(String name, List<String> command) throws Exception {
        Path log = temp.resolve(name + ".log");
        Process shop = Product.started(log, command);
        try {
            String address =
                    Product.await(
                            "the shop's address", log, Duration.ofMinutes(1), () -> address(log));
            List<String> answers = new ArrayList<>();
            for (int customer = 0; customer < WORDS.size(); customer++) {
                for (String request : requests(customer)) {
                    answers.add(answer(address, request));
                }
            }
            shop.getOutputStream().close();
            assertThat(shop.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES)).isTrue();
            assertThat(shop.exitValue()).as(Files.readString(log)).isZero();
            return answers;
        } finally {
            shop.destroyForcibly();
        }
    }

    private static Optional<String> address(Path log) throws IOException {
        Matcher address = Pattern.compile("shop 1.0 at (\\S+)\\s").matcher(Files.readString(log));
        return address.find() ? Optional.of(address.group(1)) : Optional.empty();
    }

    private static List<String> requests(int customer) {
        return List.of(
                "GET /search?q=" + WORDS.get(customer) + "+red",
                "GET /prices",
                "GET /category?id=" + customer,
                "GET /bestsellers?category=" + customer,
                "GET /product?id=" + customer,
                "POST /basket?quantity=2&product=" + customer + "&customer=c" + customer,
                "GET /basket?customer=c" + customer,
                "POST /checkout?customer=c" + customer,
                "GET /picture?id=" + customer,
                "GET /recommendations?id=" + customer,
                "GET /stock?id=" + customer,
                "GET /orders",
                "GET /nowhere?id=" + customer);
    }

    private static String answer(String address, String request) throws Exception {
        String[] words = request.split(" ", 2);
        HttpResponse<String> answer = Product.send(words[0], address + words[1], "");
        return answer.statusCode() + " " + answer.body();
    }

    /** An answer without how long it took. */
    private static String untimed(String answer) {
        return answer.replaceAll("\\d+ ms", "");
    }

    /** All sources of the shop. */
    private static List<String> compiling(Path jvm, Path into) throws URISyntaxException {
        return List.of(
                java(jvm),
                "-cp",
                jar(Main.class),
                Main.class.getName(),
                "-17",
                "-nowarn",
                "-proc:none",
                "-cp",
                jar(Shell.class) + File.pathSeparator + jar(NullMarked.class),
                "-d",
                into.toString(),
                Product.folder("examples/shop/src/main/java").toString());
    }

    private List<String> measuring(List<String> program) {
        List<String> command =
                Product.heatlineCommand(
                        "instrument",
                        "--root",
                        "main",
                        "--budget",
                        "none",
                        "-o",
                        temp.resolve("calls.heat").toString(),
                        "--");
        command.addAll(program);
        return command;
    }

    private static String java(Path jvm) {
        return jvm.resolve("bin/java").toString();
    }

    private static String jar(Class<?> type) throws URISyntaxException {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
    }

    /** Runs a program to its end; what it writes to standard output. */
    private String run(String name, List<String> command) throws Exception {
        Path out = temp.resolve(name + ".out");
        Path err = temp.resolve(name + ".err");
        Process process =
                new ProcessBuilder(new ArrayList<>(command))
                        .redirectOutput(out.toFile())
                        .redirectError(err.toFile())
                        .start();
        try {
            assertThat(process.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.exitValue()).as(Files.readString(err)).isZero();
        return Files.readString(out);
    }

    private long calls() {
        return Formats.read(temp.resolve("calls.heat"), ReadOptions.DEFAULT)
                .column("calls")
                .map(Column::total)
                .orElse(0L);
    }

    private static SortedMap<String, byte[]> classes(Path folder) {
        SortedMap<String, byte[]> classes = new TreeMap<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                classes.put(folder.relativize(file).toString(), Files.readAllBytes(file));
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return classes;
    }
}
