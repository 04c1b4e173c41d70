package dev.heatline.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.model.Execution;
import dev.heatline.model.Profile;
import dev.heatline.store.Store;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The real agent in a real JVM, told nothing but where the server is. */
class PyroscopeAgentTest {
    private static final String TARGET =
            """
            public class Burn {
                static long sum;
                static void hot() {
                    for (int i = 0; i < 1_000_000; i++) sum += i ^ (sum >> 3);
                }
                public static void main(String[] args) {
                    while (true) hot();
                }
            }
            """;

    @TempDir private Path directory;

    @Test
    @Timeout(120)
    void whatItSendsIsStored() throws Exception {
        try (Running running = new Running(directory.resolve("store"))) {
            Process target = start(running);
            try {
                Profile stored = running.stored("burn");
                while (stored.column("samples").isEmpty()) {
                    assertThat(target.isAlive()).isTrue();
                    Thread.sleep(100);
                    stored = running.stored("burn");
                }
                assertThat(running.store().executions())
                        .extracting(Store.Seen::execution)
                        .extracting(Execution::version)
                        .containsOnly("7");
            } finally {
                target.destroyForcibly().waitFor();
            }
        }
    }

    private Process start(Running running)
            throws IOException, ReflectiveOperationException, URISyntaxException {
        Path source = Files.writeString(directory.resolve("Burn.java"), TARGET);
        Class<?> agent =
                Class.forName(
                        "io.pyroscope.javaagent.PyroscopeAgent",
                        false,
                        getClass().getClassLoader());
        Path jar = Path.of(agent.getProtectionDomain().getCodeSource().getLocation().toURI());
        ProcessBuilder target =
                new ProcessBuilder(
                                List.of(
                                        Path.of(System.getProperty("java.home"), "bin", "java")
                                                .toString(),
                                        "-javaagent:" + jar,
                                        source.toString()))
                        .redirectErrorStream(true)
                        .redirectOutput(directory.resolve("target.log").toFile());
        target.environment()
                .putAll(
                        Map.of(
                                "PYROSCOPE_APPLICATION_NAME", "burn",
                                "PYROSCOPE_SERVER_ADDRESS", running.address().toString(),
                                "PYROSCOPE_LABELS", "version=7",
                                "PYROSCOPE_FORMAT", "jfr",
                                "PYROSCOPE_UPLOAD_INTERVAL", "1s"));
        return target.start();
    }
}
