package dev.heatline.collector.spool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokenFileTest {
    private static final String SECRET = "0123456789abcdef";

    @TempDir private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {SECRET, SECRET + "\n", "  " + SECRET + "\r\n\n"})
    void aTokenIsAWordByItself(String written) throws IOException {
        assertThat(file(written).token()).isEqualTo(SECRET);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ingest " + SECRET,
                SECRET + "\n" + SECRET,
                "# a comment\n" + SECRET,
                SECRET + "\u0000",
                SECRET + "\u00e4"
            })
    void anythingElseIsNoneAndStaysSecret(String written) throws IOException {
        assertThatThrownBy(() -> file(written).token())
                .isInstanceOf(SpoolException.class)
                .hasMessageContaining("is no token, which is one word")
                .hasMessageNotContaining(SECRET);
    }

    @Test
    void whatIsNoTextIsNone() throws IOException {
        Path file = Files.write(folder.resolve("token"), new byte[] {(byte) 0xff, (byte) 0xfe});
        assertThatThrownBy(() -> new TokenFile(file).token()).hasMessageContaining("is no token");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n", "  \n"})
    void anEmptyFileHasNone(String written) throws IOException {
        assertThatThrownBy(() -> file(written).token())
                .isInstanceOf(SpoolException.class)
                .hasMessageContaining("is empty");
    }

    @Test
    void whatCannotBeReadSaysWhy() {
        assertThatThrownBy(() -> new TokenFile(folder.resolve("none")).token())
                .isInstanceOf(SpoolException.class)
                .hasMessage(folder.resolve("none") + ": cannot be read: no such file");
        assertThatThrownBy(() -> new TokenFile(folder).token())
                .isInstanceOf(SpoolException.class)
                .hasMessageContaining(folder + ": cannot be read: ");
    }

    private TokenFile file(String written) throws IOException {
        return new TokenFile(Files.writeString(folder.resolve("token"), written));
    }
}
