package dev.heatline.collector.spool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.model.Profile;
import dev.heatline.model.Provenance;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real processes, killed at random, with totals that have to be exact. */
class KilledCollectorTest {
    private static final int KILLS = 25;

    @TempDir private Path temporary;

    @Test
    void killsLoseNothingAndRepeatNothing() throws IOException, InterruptedException {
        Loss told = runAndKill(64 << 20, 1);
        assertThat(told).isEqualTo(Loss.NONE);
    }

    @Test
    void killsDoNotDisturbTheCountOfWhatThereWasNoRoomFor()
            throws IOException, InterruptedException {
        Loss told = runAndKill(8_000, 3);
        assertThat(told.profiles()).isPositive();
    }

    /** Returns what the server was told to be lost. */
    private Loss runAndKill(long limit, int burst) throws IOException, InterruptedException {
        Path server = Files.createDirectories(temporary.resolve("server"));
        long seed = System.nanoTime();
        Random random = new Random(seed);
        int killed = 0;
        while (killed < KILLS) {
            // The end is put off, so that every kill comes in the middle.
            Process process = start(limit, server, Integer.MAX_VALUE, burst);
            try (InputStream out = process.getInputStream()) {
                out.readNBytes(1 + random.nextInt(8));
                spin(random.nextInt(3_000_000));
            }
            process.destroyForcibly();
            assertThat(process.waitFor()).as("killed by SIGKILL").isEqualTo(128 + 9);
            killed++;
        }
        int last = 10 + furthest(limit);
        Process end = start(limit, server, last, burst);
        end.getInputStream().readAllBytes();
        assertThat(end.waitFor()).isZero();
        long arrived = 0;
        Loss told = Loss.NONE;
        for (Path file : files(server)) {
            Profile profile = Profiles.read(Files.readAllBytes(file));
            arrived += Profiles.samples(profile);
            told =
                    told.plus(
                            new Loss(
                                    profile.provenance().count(Provenance.DROPPED_PROFILES),
                                    profile.provenance().count(Provenance.DROPPED_SAMPLES)));
        }
        long all = KilledCollector.SOURCES * (last * (last + 1L) / 2);
        assertThat(arrived + told.samples()).as("seed %d", seed).isEqualTo(all);
        return told;
    }

    private int furthest(long limit) {
        int furthest = 0;
        try (Spool spool = Spool.open(temporary.resolve("spool"), limit, _ -> {})) {
            for (String source : spool.sources()) {
                String position = spool.position(source).orElseThrow();
                furthest = Math.max(furthest, Integer.parseInt(position));
            }
        }
        return furthest;
    }

    private Process start(long limit, Path server, int last, int burst) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-XX:TieredStopAtLevel=1");
        command.add("--enable-native-access=ALL-UNNAMED");
        // Native libraries unpacked there are left behind by a kill.
        command.add("-Djava.io.tmpdir=" + temporary);
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(KilledCollector.class.getName());
        command.add(temporary.resolve("spool").toString());
        command.add(Long.toString(limit));
        command.add(server.toString());
        command.add(Integer.toString(last));
        command.add(Integer.toString(burst));
        return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }

    private static void spin(int nanos) {
        long end = System.nanoTime() + nanos;
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }
}
