package dev.heatline.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Server and collector in one command, for a program that knows nothing of them. */
class UpTest {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    static List<Path> jvms() {
        return Product.jvms();
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void aRunningProgramIsProfiledAndLeftAsItWas(Path jvm, @TempDir Path temp) throws Exception {
        Path log = Files.createFile(temp.resolve("log.txt"));
        String url = "http://127.0.0.1:" + Product.freePort();
        Process shop = Product.shop(log, jvm, "1.0", "-Dheatline.app=found");
        // As anybody may set it who does not want to wait for a minute.
        List<String> command = new ArrayList<>(List.of("env", "HEATLINE_INTERVAL=1s"));
        command.addAll(
                Product.heatlineCommand(
                        "up",
                        "--listen",
                        url.substring("http://".length()),
                        "--data",
                        temp.resolve("data").toString(),
                        "--jvms",
                        String.valueOf(shop.pid())));
        Process up = Product.started(log, command);
        try {
            Product.await(
                    "methods of the program",
                    log,
                    PATIENCE,
                    text -> text.contains("\"consumer\":\"dev.heatline.shop."),
                    () -> Product.get(url + "/api/v1/methods?app=found"));
            assertThat(Product.get(url + "/").orElseThrow()).contains("<title>Heatline");
            List<ProcessHandle> children = up.descendants().toList();
            assertThat(children).as("a collector").hasSize(1);

            up.destroy();
            assertThat(up.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(children).noneMatch(ProcessHandle::isAlive);
            assertThat(shop.isAlive()).isTrue();
            Path check = Files.createFile(temp.resolve("check.txt"));
            Product.started(
                            check,
                            List.of(
                                    jvm.resolve("bin/jcmd").toString(),
                                    String.valueOf(shop.pid()),
                                    "JFR.check"))
                    .waitFor();
            assertThat(check).content().contains("No available recordings");
            assertThat(log).content().doesNotContain("xception");
        } finally {
            up.destroyForcibly();
            shop.destroyForcibly().waitFor();
        }
    }
}
