package dev.heatline.formats.jfr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.heatline.formats.FormatException;
import dev.heatline.formats.ReadOptions;
import dev.heatline.formats.Source;
import dev.heatline.model.Profile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Files that are not what they claim to be are refused with a clear line, or read in part. */
class DamagedFileTest {
    private static final int MUTATIONS = 400;

    static List<Path> recordings() {
        return Recordings.all();
    }

    private static Profile read(byte[] content) {
        try (Source source = Source.of("some.jfr", content)) {
            return new JfrFormat().read(source, ReadOptions.DEFAULT);
        }
    }

    private static byte[] good() throws IOException {
        return Files.readAllBytes(Recordings.ofVirtualThreads());
    }

    @Test
    void otherFilesAreRefused() {
        byte[] text = "main;run 17\n".getBytes(StandardCharsets.UTF_8);
        assertThat(new JfrFormat().recognises(text)).isFalse();
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining("some.jfr: chunk 1 does not start like a chunk");
        assertThatThrownBy(() -> read(new byte[0])).isInstanceOf(FormatException.class);
    }

    @Test
    void anOlderVersionIsRefusedByName() throws IOException {
        byte[] old = good();
        old[5] = 1;
        assertThatThrownBy(() -> read(old))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining("is of version 1.");
    }

    @Test
    void messagesNameFileChunkAndOffset() throws IOException {
        byte[] content = good();
        Arrays.fill(content, 2000, 2100, (byte) 0);
        assertThatThrownBy(() -> read(content))
                .isInstanceOf(FormatException.class)
                .hasMessageMatching("some\\.jfr: chunk 1 .*\\(at offset \\d+\\)");
    }

    @Test
    void aDamagedLastChunkDoesNotSpoilTheOthers() throws IOException {
        byte[] good = good();
        Profile expected = read(good);
        byte[] damaged = good.clone();
        Arrays.fill(damaged, 68, 1000, (byte) 0x55);

        Profile profile = read(joined(good, damaged));

        assertThat(profile.columns()).isEqualTo(expected.columns());
        assertThat(profile.provenance().count(Recording.DAMAGED_CHUNKS)).isEqualTo(1);
        assertThatThrownBy(() -> read(joined(damaged, good)))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining("chunk 1 ");
    }

    @Test
    void aCutOffLastChunkDoesNotSpoilTheOthers() throws IOException {
        byte[] good = good();
        Profile expected = read(good);
        for (int length : new int[] {1, 3, 50, 68, 69, 500, good.length / 2}) {
            Profile profile = read(joined(good, Arrays.copyOf(good, length)));
            assertThat(profile.columns()).as("cut to %d", length).isEqualTo(expected.columns());
            assertThat(profile.provenance().count(Recording.DAMAGED_CHUNKS)).isEqualTo(1);
        }
    }

    @Test
    void aBadHeaderBeforeOtherChunksIsRefused() throws IOException {
        byte[] good = good();
        byte[] noMagic = good.clone();
        noMagic[0] = 'X';
        byte[] noSize = good.clone();
        Arrays.fill(noSize, 8, 16, (byte) 0x7F);
        for (byte[] bad : List.of(noMagic, noSize)) {
            byte[] content = joined(joined(good, bad), good);
            assertThatThrownBy(() -> read(content))
                    .isInstanceOf(FormatException.class)
                    .hasMessageMatching(
                            "some\\.jfr: chunk 2 .*, but another one starts at offset "
                                    + 2 * good.length
                                    + " \\(at offset "
                                    + good.length
                                    + "\\)");
            assertThat(read(joined(good, bad)).columns()).isNotEmpty();
        }
    }

    private static byte[] joined(byte[] first, byte[] second) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(first);
        out.write(second);
        return out.toByteArray();
    }

    @ParameterizedTest
    @MethodSource("recordings")
    void whateverIsChangedTheFileIsReadOrRefused(Path recording) throws IOException {
        byte[] original = Files.readAllBytes(recording);
        long seed = System.nanoTime();
        Random random = new Random(seed);
        ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        for (int i = 0; i < MUTATIONS; i++) {
            byte[] content = mutated(original, random);
            long allocated = thread.getCurrentThreadAllocatedBytes();
            long start = System.nanoTime();
            try {
                read(content);
            } catch (FormatException e) {
                assertThat(e.getMessage()).startsWith("some.jfr: ").doesNotContain("\n");
            } catch (RuntimeException | OutOfMemoryError e) {
                throw new AssertionError("seed " + seed + ", mutation " + i, e);
            }
            assertThat(thread.getCurrentThreadAllocatedBytes() - allocated)
                    .as("allocated bytes; seed %d, mutation %d", seed, i)
                    .isLessThan(64L * content.length + (32 << 20));
            assertThat(System.nanoTime() - start)
                    .as("nanoseconds taken; seed %d, mutation %d", seed, i)
                    .isLessThan(10_000_000_000L);
        }
    }

    private static byte[] mutated(byte[] original, Random random) throws IOException {
        byte[] content = original.clone();
        switch (random.nextInt(6)) {
            case 0 -> flip(content, random, 1);
            case 1 -> flip(content, random, 20);
            case 2 -> content = Arrays.copyOf(content, random.nextInt(content.length));
            case 3 -> content = inserted(content, random);
            case 4 -> {
                content = joined(content, content);
                flip(content, random, 3);
            }
            default -> {
                int at = random.nextInt(68);
                content[at] = (byte) random.nextInt();
                flip(content, random, random.nextInt(2));
            }
        }
        return content;
    }

    private static void flip(byte[] content, Random random, int times) {
        for (int i = 0; i < times; i++) {
            content[random.nextInt(content.length)] ^= (byte) (1 << random.nextInt(8));
        }
    }

    private static byte[] inserted(byte[] content, Random random) throws IOException {
        int at = random.nextInt(content.length);
        byte[] more = new byte[1 + random.nextInt(20)];
        random.nextBytes(more);
        return joined(
                joined(Arrays.copyOf(content, at), more),
                Arrays.copyOfRange(content, at, content.length));
    }
}
