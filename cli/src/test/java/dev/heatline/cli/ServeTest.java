package dev.heatline.cli;

import dev.heatline.store.RocksStore;
import dev.heatline.store.StoreOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
    void beyondThisMachineTokensAreNeeded() {
        Map<String, String> environment = Map.of("HEATLINE_LISTEN", "0.0.0.0:0");
        Run.in(environment, directory, "serve", "--data", directory.resolve("data"))
                .failedSaying("--token-file", "--insecure");
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
