package dev.heatline.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.heatline.collector.jvm.FlightRecorder;
import dev.heatline.collector.jvm.Jvm;
import dev.heatline.collector.jvm.Jvms;
import dev.heatline.wire.RecordingSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SampleWatchTest {
    private static final String WAITING =
            """
            class Waiting {
                public static void main(String[] args) throws Exception {
                    System.out.println("up");
                    System.in.read();
                }
            }
            """;

    @Test
    void beforeTheDiskIsFullRecordingEnds(@TempDir Path temporary) throws Exception {
        Path disk = Files.createDirectory(temporary.resolve("disk"));
        assumeThat(exit("mount", "-t", "tmpfs", "-o", "size=128m", "tmpfs", disk.toString()))
                .as("only root can mount a small disk")
                .isZero();
        String option = "-Djava.io.tmpdir=" + disk;
        try (JavaProgram program = JavaProgram.start(temporary, "Waiting", WAITING, option)) {
            Jvm jvm = Jvms.find(program.pid()).orElseThrow();
            RecordingSettings settings = RecordingSettings.DEFAULT;
            try (SampleWatch watch = SampleWatch.start(jvm, settings, settings.eventNames())) {
                watch.look();
                Files.write(disk.resolve("other"), new byte[110 << 20]);
                assertThatThrownBy(watch::look)
                        .isInstanceOf(CommandException.class)
                        .hasMessageContaining("is not recorded until 64 MB are free in " + disk);
            }
            assertThat(FlightRecorder.find(jvm)).isEmpty();
        } finally {
            assertThat(exit("umount", "-l", disk.toString())).isZero();
        }
    }

    private static int exit(String... command) throws Exception {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }
}
