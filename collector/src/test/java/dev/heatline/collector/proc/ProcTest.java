package dev.heatline.collector.proc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is made of the files of a kernel, whole and damaged. */
class ProcTest {
    private static final String BEHIND_NAME =
            " S 1 7 7 0 -1 4194304 99 0 0 0 150 25 0 0 20 0 31 0 4639771 2998272 392 1844674 0\n";

    @TempDir private Path root;
    private Proc proc;

    @BeforeEach
    void look() {
        proc = new Proc(root);
    }

    private void write(String file, String text) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    @Test
    void theCpusOfAMachineWereBusyOrStolen() throws IOException {
        write(
                "proc/stat",
                """
                cpu  100 20 30 4000 500 6 7 80 9 1
                cpu0 100 20 30 4000 500 6 7 80 9 1
                intr 1 2 3
                """);
        assertThat(proc.system()).contains(new SystemTimes(1_630_000_000L, 800_000_000L));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "cpu", "cpu  1 2 3", "cpu  1 2 3 4 5 6 x 8", "intr 1 2 3 4 5 6 7 8"})
    void aDamagedMachineIsUnknown(String text) throws IOException {
        write("proc/stat", text);
        assertThat(proc.system()).isEmpty();
    }

    @Test
    void theMachineRunsForSoManyTicks() throws IOException {
        write("proc/uptime", "46397.71 29061.45\n");
        assertThat(proc.uptimeTicks()).hasValue(4_639_771);
        write("proc/uptime", "long\n");
        assertThat(proc.uptimeTicks()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"java", "a) S 1 (b", "two\nlines", "", "ünicode", "((((", "))))"})
    void aNameMayHoldAnything(String name) throws IOException {
        write("proc/7/task/8/stat", "8 (" + name + ")" + BEHIND_NAME);
        assertThat(proc.thread(7, 8))
                .contains(new Stat(name, 'S', 175 * Stat.NANOS_PER_TICK, 4_639_771));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "8",
                "8 (java",
                "8 (java)",
                "8 (java) ",
                "8 )java( S 1",
                "8 (java) S 1 7 7 0 -1 4194304 99 0 0 0 150 25",
                "8 (java) S 1 7 7 0 -1 4194304 99 0 0 0 x 25 0 0 20 0 31 0 4639771 2998272 392 1"
            })
    void aDamagedThreadIsUnknown(String text) throws IOException {
        write("proc/7/task/8/stat", text);
        assertThat(proc.thread(7, 8)).isEmpty();
    }

    @Test
    void aScheduleIsReadToTheNanosecond() throws IOException {
        write("proc/7/task/8/schedstat", "123456789 4321 17\n");
        assertThat(proc.schedule(7, 8)).contains(new Schedule(123_456_789, 4321));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0 0 0\n", "1 2\n", "1 2 3 4\n", "1 x 3\n"})
    void aScheduleThatIsNotCountedIsNone(String text) throws IOException {
        write("proc/7/task/8/schedstat", text);
        assertThat(proc.schedule(7, 8)).isEmpty();
    }

    @Test
    void whatHasEndedIsEmpty() {
        assertThat(proc.exists()).isFalse();
        assertThat(proc.process(7)).isEmpty();
        assertThat(proc.threads(7)).isEmpty();
        assertThat(proc.thread(7, 8)).isEmpty();
        assertThat(proc.schedule(7, 8)).isEmpty();
        assertThat(proc.uptimeTicks()).isEmpty();
    }

    @Test
    void theKernelTellsWhetherItsTimesIncludeStolenTime() throws IOException {
        assertThat(proc.stealCounting()).isEqualTo(StealCounting.UNKNOWN);
        write("proc/sys/kernel/osrelease", "6.1\n");
        write("proc/cmdline", "quiet splash\n");
        write(
                "boot/config-6.1",
                "CONFIG_PARAVIRT=y\n# CONFIG_PARAVIRT_TIME_ACCOUNTING is not set\n");
        assertThat(proc.stealCounting()).isEqualTo(StealCounting.INCLUDED);
        Path packed = root.resolve("proc/config.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(packed))) {
            out.write("CONFIG_PARAVIRT_TIME_ACCOUNTING=y\n".getBytes(UTF_8));
        }
        assertThat(proc.stealCounting()).isEqualTo(StealCounting.EXCLUDED);
        write("proc/cmdline", "quiet no-steal-acc splash\n");
        assertThat(proc.stealCounting()).isEqualTo(StealCounting.INCLUDED);
        Files.writeString(packed, "not packed");
        assertThat(proc.stealCounting()).isEqualTo(StealCounting.INCLUDED);
    }
}
