package dev.heatline.formats;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import dev.heatline.model.Profile;
import dev.heatline.model.Resource;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FormatsTest {
    private static final byte[] STACKS = "a/B.c;d/E.f 3\na/B.c 4\n".getBytes(UTF_8);

    @TempDir Path folder;

    @Test
    void contentDecidesBeforeTheName() throws IOException {
        Path misnamed = Files.write(folder.resolve("stacks.trace"), STACKS);
        assertThat(read(misnamed).column("samples").orElseThrow().total()).isEqualTo(7);
        Path text = Files.write(folder.resolve("stacks.txt"), STACKS);
        assertThat(read(text)).isEqualTo(read(misnamed));
    }

    @Test
    void wrappersAreUndone() throws IOException {
        Profile plain = read(Files.write(folder.resolve("plain"), STACKS));
        assertThat(read(Files.write(folder.resolve("gzip"), gzip(STACKS)))).isEqualTo(plain);
        byte[] zstd = Zstd.compress(STACKS);
        assertThat(read(Files.write(folder.resolve("zstd"), zstd))).isEqualTo(plain);
        assertThat(read(Files.write(folder.resolve("both"), gzip(zstd)))).isEqualTo(plain);
    }

    @Test
    void whatUnpacksToTooMuchIsRefused() throws IOException {
        byte[] stacks = new byte[50_000_000];
        Path gzip = Files.write(folder.resolve("bomb.gz"), gzip(stacks));
        Path zstd = Files.write(folder.resolve("bomb.zst"), Zstd.compress(stacks));
        ReadOptions limited = ReadOptions.DEFAULT.withMaxUnpackedBytes(1_000_000);
        for (Path bomb : List.of(gzip, zstd)) {
            assertThatThrownBy(() -> Formats.read(bomb, limited))
                    .isInstanceOf(FormatException.class)
                    .hasMessageContaining("unpacks to more than 1000000 bytes");
        }
    }

    @Test
    void damagedWrappersAreRefused() throws IOException {
        byte[] whole = gzip(new byte[100_000]);
        Path cut = Files.write(folder.resolve("cut"), Arrays.copyOf(whole, whole.length / 2));
        assertRefused(cut, "is cut off (gzip)");
        byte[] zstd = Zstd.compress(new byte[100_000]);
        zstd[zstd.length / 2] ^= 0x55;
        assertThatThrownBy(() -> read(Files.write(folder.resolve("damaged"), zstd)))
                .isInstanceOf(FormatException.class);
    }

    @Test
    void whatIsNoProfileIsRefusedInOneLine() throws IOException {
        assertRefused(Files.write(folder.resolve("empty.collapsed"), new byte[0]), "is empty");
        assertRefused(folder, "is a directory, not a profile");
        assertRefused(folder.resolve("missing"), "no such file");
        assertRefused(
                Files.writeString(folder.resolve("letter"), "Dear all,\n"),
                "is no profile that Heatline knows");
    }

    @Test
    void everyFormatIsFoundByNameAndEnding() {
        for (Format format : Formats.all()) {
            assertThat(Formats.byName(format.name())).contains(format);
            for (String ending : format.extensions()) {
                assertThat(Formats.forFile("dir.x/a" + ending)).contains(format);
                assertThat(Formats.forFile("A" + ending.toUpperCase(Locale.ROOT))).contains(format);
            }
        }
        assertThat(Formats.forFile("x.collapsed.gz").map(Format::name)).contains("collapsed");
        assertThat(Formats.forFile("x.docx")).isEmpty();
    }

    @Test
    void writtenFilesAppearWhole() throws IOException {
        Profile profile = FormatContract.oneSample(5, 3);
        Path file = folder.resolve("out.collapsed");
        Files.writeString(file, "old");
        Formats.write(profile, file, WriteOptions.DEFAULT);
        assertThat(read(file)).isEqualTo(profile);
        Path packed = folder.resolve("out.collapsed.gz");
        Formats.write(profile, packed, WriteOptions.DEFAULT);
        assertThat(Files.readAllBytes(packed)).startsWith(0x1F, 0x8B);
        assertThat(read(packed)).isEqualTo(profile);
        assertThat(names()).containsExactlyInAnyOrder("out.collapsed", "out.collapsed.gz");
    }

    @Test
    void aFailedWriteLeavesTheOldFile() throws IOException {
        Path file = folder.resolve("out.trace");
        Files.writeString(file, "old");
        Profile notATrace = FormatContract.oneSample(1L << 50, 1);
        assertThatThrownBy(() -> Formats.write(notATrace, file, WriteOptions.DEFAULT))
                .isInstanceOf(FormatException.class);
        assertThat(file).hasContent("old");
        assertThat(names()).containsExactly("out.trace");
    }

    @Test
    void outputsThatCannotBeWrittenAreRefusedInOneLine() {
        assertNotWritten(folder.resolve("out.docx"), "the ending names no format");
        assertNotWritten(folder.resolve("none/out.collapsed"), "there is no folder");
        Path directory = folder.resolve("dir.collapsed");
        assertThat(directory.toFile().mkdir()).isTrue();
        assertNotWritten(directory, "is a directory");
        if (Files.exists(Path.of("/dev/full"))) {
            Format collapsed = Formats.byName("collapsed").orElseThrow();
            assertThatThrownBy(
                            () ->
                                    Formats.write(
                                            FormatContract.oneSample(1, 1),
                                            Path.of("/dev/full"),
                                            collapsed,
                                            WriteOptions.DEFAULT))
                    .isInstanceOf(FormatException.class)
                    .hasMessageContaining("No space left on device");
        }
    }

    @Test
    void linksAreFollowed() throws IOException {
        Path target = Files.writeString(folder.resolve("target"), "old");
        Path link = Files.createSymbolicLink(folder.resolve("link.collapsed"), target);
        Formats.write(FormatContract.oneSample(5, 3), link, WriteOptions.DEFAULT);
        assertThat(link).isSymbolicLink();
        assertThat(read(target).column(Resource.SAMPLES.name())).isPresent();
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }

    private static void assertNotWritten(Path file, String message) {
        Profile profile = FormatContract.oneSample(5, 3);
        assertThatThrownBy(() -> Formats.write(profile, file, WriteOptions.DEFAULT))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining(message)
                .hasMessageNotContaining("\n");
    }

    private static void assertRefused(Path file, String message) {
        assertThatThrownBy(() -> read(file))
                .isInstanceOf(FormatException.class)
                .hasMessageStartingWith(file + ": " + message)
                .hasMessageNotContaining("\n");
    }

    private static Profile read(Path file) {
        return Formats.read(file, ReadOptions.DEFAULT);
    }

    private static byte[] gzip(byte[] content) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(content);
        }
        return out.toByteArray();
    }
}
