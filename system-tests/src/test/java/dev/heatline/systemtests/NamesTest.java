package dev.heatline.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.model.Profile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Programs whose names no server takes. */
class NamesTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    static Iterable<Path> jvms() {
        return Product.jvms();
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void aProgramOfAnyNameIsProfiled(Path jvm, @TempDir Path temp) throws Exception {
        Path log = Files.createFile(temp.resolve("log.txt"));
        String address = "127.0.0.1:" + Product.freePort();
        Process shop =
                Product.shop(
                        log, jvm, "1.0", "-Dheatline.app=<R&D>", "-Dheatline.label.team=\"R\\D\"");
        Process server =
                Product.heatline(
                        log,
                        "serve",
                        "--listen",
                        address,
                        "--data",
                        temp.resolve("data").toString());
        Process collector =
                Product.heatline(
                        log,
                        "collect",
                        "--server",
                        "http://" + address,
                        "--spool",
                        temp.resolve("spool").toString(),
                        "--interval",
                        "1s",
                        "--jvms",
                        "^_R_D_$");
        try {
            String question = "http://" + address + "/api/v1/export?format=heat&app=_R_D_";
            Profile seen =
                    Product.await(
                            "samples",
                            log,
                            PATIENCE,
                            it -> it.samples() > 0,
                            () -> Product.profile(question + "&label=team:_R_D_"));
            assertThat(seen.provenance().fact("application")).isEqualTo("_R_D_");
            assertThat(Files.readString(log)).doesNotContain("is lost", "refuses");
        } finally {
            shop.destroyForcibly();
            collector.destroyForcibly().waitFor();
            server.destroyForcibly().waitFor();
        }
    }
}
