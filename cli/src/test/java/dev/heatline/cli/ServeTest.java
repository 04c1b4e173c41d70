package dev.heatline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.store.RocksStore;
import dev.heatline.store.StoreOptions;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

class ServeTest {
    @TempDir private Path directory;

    @Test
    void aTakenPortIsNamed() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String listen = "127.0.0.1:" + taken.getLocalPort();
            Run.of("serve", "--data", directory.resolve("data"), "--listen", listen)
                    .failedSaying("cannot listen on " + listen, "--listen");
        }
    }

    @Test
    void aStoreInUseIsNamed() {
        try (RocksStore _ = RocksStore.open(directory, StoreOptions.DEFAULT)) {
            Run.of("serve", "--data", directory, "--listen", "127.0.0.1:0")
                    .failedSaying(directory.toString());
        }
    }

    @Test
    void aDirectoryThatCannotBeMadeIsNamed() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "");
        Run.of("serve", "--data", file.resolve("data"), "--listen", "127.0.0.1:0")
                .failedSaying(file.toString());
    }

    @Test
    void sourcesThatAreNotThereAreNamed() {
        Path none = directory.resolve("none");
        Path data = directory.resolve("data");
        for (String verb : List.of("serve", "up")) {
            Run.of(verb, "--data", data, "--listen", "127.0.0.1:0", "--sources", none)
                    .failedSaying(none + ": there is no such folder or archive of sources");
        }
        Map<String, String> environment = Map.of("HEATLINE_SOURCES", none.toString());
        Run.in(environment, directory, "serve", "--data", data, "--listen", "127.0.0.1:0")
                .failedSaying(none.toString());
    }

    @Test
    void eachOfSeveralSourcesIsLookedAt() throws IOException {
        Path folder = Files.createDirectory(directory.resolve("java"));
        Files.writeString(folder.resolve("Main.java"), "class Main {}");
        Path damaged = Files.writeString(directory.resolve("lib-sources.jar"), "PK no zip");
        Path data = directory.resolve("data");
        Run.of("serve", "--data", data, "--sources", folder, "--sources", damaged)
                .failedSaying(damaged + ": is no folder and no jar or zip of sources: ");
    }

    @Test
    void aVariableNamesSeveralSourcesAsAClassPathDoes() throws IOException {
        Path folder = Files.createDirectory(directory.resolve("java"));
        Files.writeString(folder.resolve("Main.java"), "class Main {}");
        Path none = directory.resolve("none");
        String both = folder + File.pathSeparator + File.pathSeparator + none;
        Path data = directory.resolve("data");
        for (String verb : List.of("serve", "up")) {
            Run.in(Map.of("HEATLINE_SOURCES", both), directory, verb, "--data", data)
                    .failedSaying(verb + ": " + none + ": there is no such folder or archive");
        }
        Path odd = Files.createDirectory(directory.resolve("a" + File.pathSeparator + "b"));
        Run.of("serve", "--data", data, "--sources", odd, "--sources", none)
                .failedSaying("serve: " + none + ": there is no such folder or archive");
    }

    @Test
    void beyondThisMachineTokensAreNeeded() {
        Map<String, String> environment = Map.of("HEATLINE_LISTEN", "0.0.0.0:0");
        Run.in(environment, directory, "serve", "--data", directory.resolve("data"))
                .failedSaying("--token-file", "--insecure");
    }

    @Test
    void upIsForThisMachine() {
        Map<String, String> environment = Map.of("HEATLINE_LISTEN", "0.0.0.0:0");
        Run.in(environment, directory, "up", "--data", directory.resolve("data"))
                .wrongUsageSaying("--listen", "heatline serve", "heatline collect");
    }

    @Test
    void retentionIsOneAgeOrThree() {
        assertThat(kept()).isEqualTo(StoreOptions.DEFAULT);
        assertThat(kept("--retention", "90d", "--max-disk", "20g"))
                .isEqualTo(
                        StoreOptions.DEFAULT
                                .withAges(
                                        Duration.ofDays(2),
                                        Duration.ofDays(30),
                                        Duration.ofDays(90))
                                .withMaxBytes(20L << 30));
        assertThat(kept("--retention", "1h,1d,2d", "--max-disk", "500m"))
                .isEqualTo(
                        StoreOptions.DEFAULT
                                .withAges(
                                        Duration.ofHours(1), Duration.ofDays(1), Duration.ofDays(2))
                                .withMaxBytes(500L << 20));
        assertThat(kept("--retention", "1d").hours()).isEqualTo(Duration.ofDays(1));
    }

    private static StoreOptions kept(String... words) {
        RetentionOptions options = new RetentionOptions();
        new CommandLine(
                        CommandSpec.create()
                                .addMixin("kept", CommandSpec.forAnnotatedObject(options)))
                .parseArgs(words);
        return options.kept();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--retention|2d,3d",
                "--max-disk|much",
                "--interval|10ms",
                "--budget|much",
                "--listen|4040"
            })
    void whatMeansNothingToUpIsWrongUsage(String option, String value) {
        Run.of("up", "--data", directory, option, value).wrongUsageSaying("--");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--listen|4040",
                "--listen|localhost:99999",
                "--tls-cert|cert.pem",
                "--retention|soon",
                "--retention|2d,3d",
                "--retention|3d,2d,1d",
                "--max-disk|much",
                "--max-applications|0",
                "--max-executions|0",
                "--rate-limit|-1"
            })
    void whatMeansNothingIsWrongUsage(String option, String value) {
        Run.of("serve", "--data", directory, option, value).wrongUsageSaying("--");
    }
}
