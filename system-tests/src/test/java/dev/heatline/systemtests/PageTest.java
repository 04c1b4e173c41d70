package dev.heatline.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.formats.HeatFormat;
import dev.heatline.formats.WriteOptions;
import dev.heatline.model.Consumer;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Provenance;
import dev.heatline.model.Resource;
import dev.heatline.model.Site;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page in a real browser, on a real server with real profiles: runs web/test/page.test.js. */
class PageTest {
    private static final Path EXAMPLES = Product.folder("examples");
    private static final String PAGE_TEST = "test/page.test.js";
    private static final int PATIENCE_MINUTES = 15;
    private static final String TOKEN = "page-page-page-page";

    /** What somebody may call a method: markup, a mark that turns the writing round, and much. */
    private static final String HOSTILE =
            "main;<img src=x onerror=alert(1)>\u202e;" + "long".repeat(2_500) + " 4711\n";

    /** The examples were recorded once; however old they are, none is rolled up or removed. */
    private static final String FOR_EVER = "36500d,36500d,36500d";

    private static final int LEVELS = 6;
    private static final int WIDE = 10;
    private static final int LEAVES = 8;

    @TempDir private Path temp;

    @Test
    void everyViewAndControlWorks() throws Exception {
        Path log = Files.createFile(temp.resolve("log.txt"));
        String open = "127.0.0.1:" + Product.freePort();
        String guarded = "127.0.0.1:" + Product.freePort();
        Process server = serve(log, open, "data", "--sources", sources().toString());
        Process guard = serve(log, guarded, "guarded", "--token-file", tokens().toString());
        try {
            String url = "http://" + open;
            for (String each : List.of(open, guarded)) {
                String ready = "http://" + each + "/ready";
                Product.await("the server", log, Duration.ofSeconds(60), () -> Product.get(ready));
            }
            push(log, url, EXAMPLES.resolve("workload.heat"), "workload", "1.0");
            push(log, url, EXAMPLES.resolve("workload-more-queries.heat"), "workload", "1.1");
            Path hostile = Files.writeString(temp.resolve("hostile.collapsed"), HOSTILE);
            push(log, url, hostile, "hostile", "1.0");
            push(log, url, million(), "million", "1.0");
            push(log, url, locks(log), "product-search", "1.0");
            push(log, url, stolen(), "stolen", "1.0");
            Path report = Files.createFile(temp.resolve("report.txt"));
            ProcessBuilder tests =
                    new ProcessBuilder("node", "--test", "--test-reporter=tap", PAGE_TEST)
                            .directory(Product.folder("web").toFile())
                            .redirectErrorStream(true)
                            .redirectOutput(report.toFile());
            tests.environment().put("HEATLINE_SERVER", url + "/");
            tests.environment().put("HEATLINE_GUARDED", "http://" + guarded + "/");
            tests.environment().put("HEATLINE_TOKEN", TOKEN);
            Process run = tests.start();
            boolean ended = run.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES);
            run.destroyForcibly();
            String told = Files.readString(report);
            assertThat(ended && run.waitFor() == 0).as(told + Files.readString(log)).isTrue();
            told.lines()
                    .filter(line -> line.matches("# .* (ms|frames a second)"))
                    .forEach(System.out::println);
        } finally {
            server.destroyForcibly();
            guard.destroyForcibly();
        }
    }

    private Process serve(Path log, String address, String data, String option, String value)
            throws IOException {
        String folder = temp.resolve(data).toString();
        return Product.heatline(
                log,
                "serve",
                "--listen",
                address,
                "--data",
                folder,
                "--retention",
                FOR_EVER,
                option,
                value);
    }

    /** Files that have the names of profiled classes; only their line 246 matters. */
    private Path sources() throws IOException {
        Path folder = Files.createDirectory(temp.resolve("sources"));
        String text = "// a line\n".repeat(244) + "        return compare(key);\n";
        Files.writeString(folder.resolve("Page.java"), "package org.h2.mvstore;\n" + text);
        Files.writeString(folder.resolve("Workload.java"), "package dev.heatline.bench;\n" + text);
        return folder;
    }

    private Path tokens() throws IOException {
        Path file = Files.writeString(temp.resolve("tokens"), "read " + TOKEN + "\n");
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    /** The locks of a program in which somebody keeps others waiting. */
    private Path locks(Path log) throws IOException, InterruptedException {
        Path file = temp.resolve("locks.heat");
        Process program =
                Product.started(
                        log,
                        List.of(
                                Product.JVM_25.resolve("bin/java").toString(),
                                "-cp",
                                Path.of("target", "test-classes").toString(),
                                ProductSearch.class.getName()));
        try {
            String pid = String.valueOf(program.pid());
            Process locks = Product.heatline(log, "locks", pid, "-d", "4s", "-o", file.toString());
            assertThat(locks.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES)).isTrue();
            assertThat(locks.exitValue()).as(Files.readString(log)).isZero();
        } finally {
            program.destroyForcibly();
        }
        return file;
    }

    /** What a collector tells of a thread on a CPU that the hypervisor took away for a tenth. */
    private Path stolen() throws IOException {
        ProfileBuilder builder = new ProfileBuilder();
        int thread = builder.consumer(Consumer.thread("", "order-worker"));
        int work =
                builder.child(
                        Profile.ROOT, builder.consumer(Consumer.method("Order.total")), Site.NONE);
        builder.column(Resource.SAMPLES).add(work, thread, 200);
        builder.column(Resource.CPU).add(work, thread, 2_000_000_000L);
        builder.column(Resource.seconds("corrected", "looks"))
                .add(Profile.ROOT, thread, 1_500_000_000);
        builder.column(Resource.seconds("steal", "looks")).add(Profile.ROOT, thread, 250_000_000);
        Provenance cpus =
                Provenance.NONE
                        .withCount(Provenance.CORRECTED_MICROS, 9_000_000)
                        .withCount(Provenance.STEAL_MICROS, 1_000_000)
                        .withCount(Provenance.RUN_QUEUE_MICROS, 2_500_000)
                        .withCount(Provenance.THROTTLED_MICROS, 500_000);
        Path file = temp.resolve("stolen.heat");
        try (OutputStream out = Files.newOutputStream(file)) {
            new HeatFormat().write(builder.build(cpus), out, WriteOptions.DEFAULT);
        }
        return file;
    }

    /** Nearly a million calling contexts. */
    private Path million() throws IOException {
        Path file = temp.resolve("million.collapsed");
        try (Writer out = Files.newBufferedWriter(file)) {
            write(out, "app.Main.run", LEVELS);
        }
        return file;
    }

    private static void write(Writer out, String stack, int levels) throws IOException {
        int wide = levels == 1 ? LEAVES : WIDE;
        for (int i = 0; i < wide; i++) {
            String deeper = stack + ";app.Level" + levels + ".method" + i;
            if (levels == 1) {
                out.append(deeper).append(' ').append(String.valueOf(i + 1)).append('\n');
            } else {
                write(out, deeper, levels - 1);
            }
        }
    }

    private static void push(Path log, String url, Path profile, String app, String version)
            throws IOException, InterruptedException {
        Process push =
                Product.heatline(
                        log,
                        "push",
                        profile.toString(),
                        "--app",
                        app,
                        "--version",
                        version,
                        "--server",
                        url);
        assertThat(push.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES)).isTrue();
        assertThat(push.exitValue()).as(Files.readString(log)).isZero();
    }
}
