package dev.heatline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls of a real JVM in which each order has seven items. */
class InstrumentTest {
    private static final int ITEMS = 7;

    @TempDir private static Path folder;

    private static Optional<JavaProgram> target = Optional.empty();

    @BeforeAll
    static void start() throws IOException {
        target =
                Optional.of(
                        JavaProgram.start(
                                folder,
                                "Ordering",
                                """
                class Ordering {
                    static volatile double sum;
                    static void order() throws Exception {
                        for (int i = 0; i < 7; i++) { sum = item(i); }
                        Thread.sleep(1);
                    }
                    static double item(int i) { return Math.sqrt(i); }
                    static Object[] kept;
                    static int archived;
                    static class Invoice { Object[] lines = new Object[4]; }
                    static void archive() {
                        for (int i = 0; i < 1000; i++) { sum = new Invoice().lines.length; }
                        kept[archived++ % 100] = new Invoice();
                        if (archived % 100 == 0) { System.gc(); }
                    }
                    static void price(int i) { }
                    static void price(String s) { }
                    static void rest() { }
                    public static void main(String[] args) throws Exception {
                        kept = new Object[100];
                        System.out.println("up");
                        while (System.in.available() == 0) { order(); archive(); }
                    }
                }
                """,
                                "-XX:+EnableDynamicAgentLoading"));
    }

    @AfterAll
    static void stop() {
        target.ifPresent(JavaProgram::close);
    }

    private static long pid() {
        return target.orElseThrow().pid();
    }

    private static long calls(Run run, String method) {
        return Pattern.compile("\\d+ +(\\d+) .*" + Pattern.quote(method))
                .matcher(run.out())
                .results()
                .mapToLong(found -> Long.parseLong(found.group(1)))
                .findFirst()
                .orElseThrow(() -> new AssertionError(method + " is not in " + run.out()));
    }

    @Test
    void everyCallIsCounted() {
        Run run = Run.of("instrument", pid(), "--root", "Ordering::order", "-d", "1s");

        assertThat(run.exit()).isEqualTo(Exit.DONE);
        assertThat(run.err())
                .contains("methods changed: 2, in 1 of the classes", "which is subtracted");
        long orders = calls(run, "Ordering.order()");
        assertThat(orders).isGreaterThan(10);
        // The last one may not have ended.
        assertThat(calls(run, "Ordering.item(int)"))
                .isBetween(ITEMS * (orders - 1), ITEMS * orders);
    }

    @Test
    void howLongNoRootWasCalledIsSaid() {
        Run run = Run.of("instrument", pid(), "--root", "Ordering::rest", "-d", "1s");
        assertThat(run.exit()).isEqualTo(Exit.DONE);
        assertThat(run.out()).matches("no root was called in [1-9]\\d*\\.\\d s\n");
    }

    @Test
    void anotherToolCanChangeItsRootsAndEndIt() {
        CompletableFuture<Run> first =
                CompletableFuture.supplyAsync(
                        () -> Run.of("instrument", pid(), "--root", "Ordering::order", "-d", "1m"));
        try {
            Run changed = Run.of("instrument", pid(), "--change", "--root", "Ordering::item");
            for (int i = 0; i < 100 && changed.exit() != Exit.DONE; i++) {
                assertThat(changed.err()).contains("no calls are measured there");
                changed = Run.of("instrument", pid(), "--change", "--root", "Ordering::item");
            }
            assertThat(changed.err()).contains("below Ordering::item from now on");
            assertThat(Run.of("list").out()).containsPattern(pid() + " .* calls");
            assertThat(Run.of("instrument", pid(), "--change", "--root", "x", "--alloc").err())
                    .contains("--alloc");
        } finally {
            assertThat(Run.of("instrument", pid(), "--off").err())
                    .contains("are not measured any more");
        }
        Run run = first.join();
        assertThat(run.exit()).isEqualTo(Exit.DONE);
        assertThat(run.err()).contains("another tool has ended measuring");
        assertThat(Run.of("instrument", pid(), "--off").err())
                .contains("no calls are measured there");
    }

    @Test
    void itCanBeKeptAndReportedLater() {
        Path kept = folder.resolve("calls.heat");
        Run run =
                Run.of(
                        "instrument",
                        pid(),
                        "--root",
                        "Ordering::order",
                        "-d",
                        "1s",
                        "--timing",
                        "sampled",
                        "-o",
                        kept);
        assertThat(run.exit()).isEqualTo(Exit.DONE);
        assertThat(run.err()).contains("calls");
        assertThat(Run.of("report", kept, "--resource", "elapsed").isDone().out())
                .contains("Ordering.order()", "Ordering.item(int)");
    }

    /** The program makes some objects that it keeps, and many that it does not. */
    @Test
    void whatIsStillAliveIsShownByClassAndPlace() {
        Path kept = folder.resolve("survival.heat");
        Run run =
                Run.of(
                        "instrument",
                        pid(),
                        "--root",
                        "Ordering::archive",
                        "--survival",
                        "-d",
                        "3s");
        assertThat(run.exit()).isEqualTo(Exit.DONE);
        assertThat(run.err())
                .containsPattern("objects tracked: [0-9,]+; garbage collections seen: ");
        assertThat(run.out())
                .containsPattern(
                        "live +live (.?B|bytes) +generations +age +undecided +tracked +allocations +class")
                .contains(
                        "Ordering$Invoice\n", "  Ordering.archive():12", "  Ordering.archive():13");
        Run json =
                Run.of(
                        "instrument",
                        pid(),
                        "--root",
                        "Ordering::archive",
                        "--survival",
                        "-d",
                        "1s",
                        "--format",
                        "json");
        assertThat(json.out()).contains("\"class\":\"Ordering$Invoice\"", "\"generations\":");
        Run file =
                Run.of(
                        "instrument",
                        pid(),
                        "--root",
                        "Ordering::archive",
                        "--survival",
                        "-d",
                        "1s",
                        "-o",
                        kept);
        assertThat(file.exit()).isEqualTo(Exit.DONE);
        assertThat(Run.of("report", kept, "--view", "survival").isDone().out())
                .contains("Ordering$Invoice");
    }

    @Test
    void theTimesOfOneMethod() {
        Run run = Run.of("instrument", pid(), "--region", "Ordering::order", "-d", "1s");

        assertThat(run.exit()).isEqualTo(Exit.DONE);
        assertThat(run.out())
                .contains("Ordering.order()", " calls, ", "slowest calls:")
                .containsPattern("50 %: \\d")
                .contains("      Ordering.main(");
        Run json =
                Run.of(
                        "instrument",
                        pid(),
                        "--region",
                        "Ordering::item",
                        "-d",
                        "500ms",
                        "--format",
                        "json");
        assertThat(json.out()).contains("\"method\":\"Ordering.item(int)\"", "\"histogram\":[{");
    }

    @Test
    void aRegionOfTheJdkIsIncluded() {
        Run run =
                Run.of(
                        "instrument",
                        pid(),
                        "--region",
                        "java.io.BufferedInputStream::available",
                        "--include",
                        "java.io.BufferedInputStream",
                        "-d",
                        "500ms");
        assertThat(run.out()).contains("java.io.BufferedInputStream.available()", " calls, ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--alloc", "--survival", "--timing=sampled", "--budget=5"})
    void aRegionRefusesWhatIsForRoots(String option) {
        Run run = Run.of("instrument", pid(), "--region", "Ordering::order", option);
        assertThat(run.exit()).isEqualTo(Exit.WRONG_USAGE);
        assertThat(run.err())
                .contains(option.replaceAll("=.*", "") + " is for --root, not for --region");
    }

    @Test
    void aProgramFromItsStartToItsEnd() throws IOException {
        Path program = folder.resolve("Adding.java");
        Files.writeString(
                program,
                """
                public class Adding {
                    static int sum;
                    static void add(int i) { sum += i; }
                    public static void main(String[] args) {
                        for (int i = 0; i < Integer.parseInt(args[0]); i++) { add(i); }
                    }
                }
                """);
        ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-d", folder.toString(), program.toString());
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Run run =
                Run.of(
                        "instrument",
                        "--root",
                        "main",
                        "--",
                        java,
                        "-cp",
                        folder,
                        "Adding",
                        "12345");
        assertThat(run.exit()).isEqualTo(Exit.DONE);
        assertThat(calls(run, "Adding.main(String[])")).isOne();
        assertThat(calls(run, "Adding.add(int)")).isEqualTo(12_345);
        assertThat(Run.of("instrument", "--root", "main", "--", "ls", "-l").err())
                .contains("only a java command can be started");
    }

    @Test
    void whatIsNoRootIsExplained() {
        assertThat(Run.of("instrument", pid(), "--root", "Ordering::order", "--budget", "x").err())
                .contains("--budget x is no percentage");
        assertThat(Run.of("instrument", pid()).err()).contains("--root", "--region");
        assertThat(Run.of("instrument", pid(), "--root", "Ordering::oder").err())
                .contains("Ordering has no method oder; is it order?");
        assertThat(Run.of("instrument", pid(), "--root", "Ordring::order").err())
                .contains("no class Ordring is loaded; is it Ordering?");
        assertThat(Run.of("instrument", pid(), "--root", "Ordering::price").err())
                .contains("several methods are meant", "price(int)", "price(String)");
        assertThat(Run.of("instrument", pid(), "--root", "Ordering").err())
                .contains("is not a root; write it as com.shop.Checkout::process");
        assertThat(Run.of("instrument", "4711000", "--root", "Ordering::order").err())
                .contains("no JVM has the pid 4711000");
    }
}
