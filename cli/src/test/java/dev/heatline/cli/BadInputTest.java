package dev.heatline.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One clear line, exit code 1 or 2, no stack trace, no output file: whatever the input is. */
@Timeout(60)
class BadInputTest {
    private static final List<String> ENDINGS =
            List.of("heat", "pb.gz", "pb", "collapsed", "trace", "jfr", "speedscope.json", "otlp");

    @TempDir private Path folder;

    private void refused(Path file, String... saying) {
        Path out = folder.resolve("out.collapsed");
        Run.of("convert", file, "-o", out).failedSaying(saying);
        Run.of("report", file, "-o", folder.resolve("out.html")).failedSaying(saying);
        assertThat(folder.toFile().list((_, name) -> name.contains("out."))).isEmpty();
    }

    /** Reading it may well succeed; what may not happen is anything but an answer or a line. */
    private void answered(Path file) {
        Run run = Run.of("report", file);
        if (run.exit() == Exit.DONE) {
            assertThat(run.err()).isEmpty();
        } else {
            run.failedSaying(file.getFileName().toString());
        }
    }

    @Test
    void emptyFiles() {
        for (String ending : ENDINGS) {
            refused(Examples.file(folder, "empty." + ending, ""), "empty." + ending, "empty");
        }
    }

    @Test
    void missingFilesAndFolders() {
        refused(folder.resolve("none.jfr"), "none.jfr", "no such file");
        refused(folder, folder.toString(), "is a directory");
    }

    @Test
    void filesOfAnotherKind() {
        byte[] noise = new byte[5000];
        new Random(7).nextBytes(noise);
        noise[0] = (byte) 0xfe;
        for (String ending : List.of("heat", "pb.gz", "jfr", "speedscope.json", "bin")) {
            refused(Examples.file(folder, "noise." + ending, noise), "noise." + ending);
        }
        refused(Examples.file(folder, "a.html", "<!DOCTYPE html><html></html>"), "a.html");
    }

    @ParameterizedTest
    @ValueSource(strings = {"heat", "pb.gz", "trace"})
    void truncatedFiles(String ending) throws IOException {
        Path whole = folder.resolve("whole." + ending);
        Run.of("convert", Examples.TRACE, "-o", whole).isDone();
        byte[] bytes = Files.readAllBytes(whole);
        for (int percent : new int[] {1, 20, 50, 90}) {
            byte[] part = Arrays.copyOf(bytes, Math.max(1, bytes.length * percent / 100));
            answered(Examples.file(folder, "part" + percent + "." + ending, part));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"heat", "pb.gz", "pb", "trace", "collapsed"})
    void flippedBits(String ending) throws IOException {
        Path whole = folder.resolve("whole." + ending);
        Run.of("convert", Examples.TRACE, "-o", whole).isDone();
        byte[] bytes = Files.readAllBytes(whole);
        Random random = new Random(11);
        for (int round = 0; round < 50; round++) {
            byte[] flipped = bytes.clone();
            int at = random.nextInt(flipped.length);
            flipped[at] ^= (byte) (1 << random.nextInt(8));
            answered(Examples.file(folder, "flipped." + ending, flipped));
        }
    }

    @Test
    void filesThatClaimToBeHuge() {
        byte[] pprof = {0x0a, -1, -1, -1, -1, 0x0f, 1, 2, 3, 4};
        refused(Examples.file(folder, "huge.pb", pprof), "huge.pb");
        refused(Examples.file(folder, "huge.jfr", recording(2, 1, 4L << 30)), "huge.jfr");
        Path value = Examples.file(folder, "huge.collapsed", "a;b " + "9".repeat(30) + "\n");
        refused(value, "huge.collapsed");
    }

    @Test
    void versionsNobodyKnows() {
        refused(Examples.file(folder, "new.jfr", recording(9, 0, 200)), "new.jfr", "9");
    }

    /** The first bytes of a chunk and nothing that follows. */
    private static byte[] recording(int major, int minor, long size) {
        return ByteBuffer.allocate(200)
                .put("FLR\0".getBytes(ISO_8859_1))
                .putShort((short) major)
                .putShort((short) minor)
                .putLong(size)
                .array();
    }

    @Test
    void profilesWithoutSamples() {
        Path none = Examples.file(folder, "none.trace", "#resource cpu s\n");
        Run.of("report", none).failedSaying("none.trace", "no samples");
        Run.of("diff", none, none).failedSaying("none.trace", "no samples");
        Run.of("overlap", none, none).failedSaying("none.trace", "no samples");
    }

    @Test
    void namesThatAreNotUtf8() {
        byte[] latin = "a.B.caf\u00e9;a.B.na\u00efve 5\n".getBytes(ISO_8859_1);
        answered(Examples.file(folder, "latin.collapsed", latin));
    }

    @Test
    void deeplyNestedStacks() {
        StringBuilder stack = new StringBuilder("a.A.m");
        for (int depth = 0; depth < 100_000; depth++) {
            stack.append(";a.A.m").append(depth % 7);
        }
        Path deep = Examples.collapsed(folder, "deep.collapsed", stack + " 1");
        for (String view : List.of("xprof", "xtree", "flame")) {
            Run run = Run.of("report", deep, "--view", view, "--limit", "10");
            assertThat(run.exit()).as(run.err()).isIn(Exit.DONE, Exit.FAILED);
        }
    }

    @Test
    void outputsThatCannotBeWritten() throws IOException {
        Run.of("report", Examples.TRACE, "-o", folder.resolve("no/such/r.txt"))
                .failedSaying("r.txt", "no folder");
        Path dir = Files.createDirectory(folder.resolve("dir.html"));
        Run.of("report", Examples.TRACE, "-o", dir).failedSaying("dir.html", "is a directory");
        Run.of("convert", Examples.TRACE, "-o", folder.resolve("no/t.heat")).failedSaying("t.heat");
    }

    @Test
    void fullDevices() {
        assumeTrue(Files.exists(Path.of("/dev/full")), "no /dev/full on this system");
        Run.of("report", Examples.TRACE, "-o", "/dev/full").failedSaying("/dev/full", "No space");
        Run.of("convert", Examples.TRACE, "-o", "/dev/full", "--format", "heat")
                .failedSaying("/dev/full", "No space");
    }

    @Test
    void settingsThatCannotBeRead() {
        Examples.file(folder, "heatline.properties", "view=\\u00zz\n");
        Run.in(Map.of(), folder, "report", Examples.TRACE.toAbsolutePath())
                .failedSaying("heatline.properties");
    }

    @Test
    void numbersOutOfRange() {
        for (String distance : List.of("0", "-1", "1001", "900000000")) {
            Run.of("report", Examples.TRACE, "--view", "subsuming", "--bounds", "4", distance)
                    .wrongUsageSaying("--bounds", distance, "1000");
        }
        Run.of("report", Examples.TRACE, "--view", "subsuming", "--bounds", "4", "1000").isDone();
        Run.of("report", Examples.TRACE, "--merge-truncated=-3")
                .wrongUsageSaying("--merge-truncated", "-3");
        Run.of("report", Examples.TRACE, "--merge-truncated=3").isDone();
    }

    @Test
    void expressionsThatNeedMoreStackThanThereIs() {
        String longName = "ab".repeat(10_000);
        Path threads =
                Examples.collapsed(folder, "t.collapsed", "[" + longName + " tid=7];a.B.c 1");
        Run.of("report", threads, "--thread", "(a|b)*x").failedSaying("(a|b)*x", "too complex");
        Path methods = Examples.collapsed(folder, "m.collapsed", "a.B." + longName + " 1");
        Run.of("report", methods, "--task", "t=regex:(.|b)*x").failedSaying("regular expression");
    }

    @Test
    void answersComeQuickly() {
        assertTimeoutPreemptively(
                Duration.ofSeconds(20),
                () ->
                        Run.of(
                                "report",
                                Examples.file(folder, "one.collapsed", "a;".repeat(1 << 20))));
    }
}
