package dev.heatline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CollectTest {
    @TempDir private Path folder;

    @Test
    void withoutAUsableTokenItDoesNotBegin() {
        Path spool = folder.resolve("spool");
        Path none = folder.resolve("none");
        Run.of("collect", "--jvms", "^none$", "--spool", spool, "--token-file", none)
                .failedSaying(none + ": cannot be read: no such file");
        Path empty = Examples.file(folder, "empty", "");
        Run.of("collect", "--jvms", "^none$", "--spool", spool, "--token-file", empty)
                .failedSaying(empty + ": is empty");
        Path tokens = Examples.file(folder, "tokens", "ingest 0123456789abcdef\n");
        Run.of("collect", "--jvms", "^none$", "--spool", spool, "--token-file", tokens)
                .failedSaying(tokens + ": is no token", "only TOKEN");
        assertThat(spool).doesNotExist();
    }
}
