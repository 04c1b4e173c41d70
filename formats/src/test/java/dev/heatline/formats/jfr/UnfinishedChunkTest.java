package dev.heatline.formats.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.formats.FormatException;
import dev.heatline.formats.ReadOptions;
import dev.heatline.formats.Source;
import dev.heatline.model.Profile;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The chunk a JVM is still writing, and the one it leaves behind when it is killed. */
class UnfinishedChunkTest {

    static List<Path> jvms() {
        return Recordings.jvms();
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void whatWasFlushedIsReadWhileTheJvmRunsAndAfterItWasKilled(Path jvm, @TempDir Path temp)
            throws Exception {
        Process target =
                Recordings.startLingering(
                        jvm,
                        "settings=none,disk=true,flush-interval=1s"
                                + ",+jdk.ActiveSetting#enabled=true"
                                + ",+jdk.ExecutionSample#enabled=true"
                                + ",+jdk.ExecutionSample#period=10ms",
                        temp);
        try {
            Profile live = firstWithSamples(temp, target);
            assertThat(live.provenance().count(Recording.UNFINISHED_CHUNKS)).isEqualTo(1);

            target.destroyForcibly().waitFor();
            Profile left = read(chunkIn(temp).orElseThrow()).orElseThrow();
            assertThat(samples(left)).isGreaterThanOrEqualTo(samples(live));
            assertThat(left.provenance().count(Recording.UNFINISHED_CHUNKS)).isEqualTo(1);
            assertThat(left.provenance().count(Recording.DAMAGED_CHUNKS)).isZero();
            assertThat(left.column("cpu").orElseThrow().total())
                    .isEqualTo(samples(left) * 10_000_000);
        } finally {
            target.destroyForcibly();
        }
    }

    private static long samples(Profile profile) {
        return profile.column("samples").orElseThrow().total();
    }

    /** Looks into the growing chunk until a flush has brought samples into it. */
    private static Profile firstWithSamples(Path repository, Process target) {
        long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (target.isAlive() && System.nanoTime() < deadline) {
            Optional<Profile> profile = chunkIn(repository).flatMap(UnfinishedChunkTest::read);
            if (profile.isPresent() && profile.get().column("samples").isPresent()) {
                return profile.get();
            }
            Thread.onSpinWait();
        }
        throw new AssertionError("no samples were flushed within 30 s");
    }

    /** The chunk in the one folder of the repository; files there come and go while we look. */
    private static Optional<Path> chunkIn(Path repository) {
        return files(repository)
                .flatMap(UnfinishedChunkTest::files)
                .filter(file -> file.toString().endsWith(".jfr"))
                .findFirst();
    }

    private static Stream<Path> files(Path folder) {
        File[] files = folder.toFile().listFiles();
        return files == null ? Stream.of() : Arrays.stream(files).map(File::toPath);
    }

    /** Empty as long as nothing was flushed. */
    private static Optional<Profile> read(Path chunk) {
        try (Source source = Source.open(chunk)) {
            return Optional.of(new JfrFormat().read(source, ReadOptions.DEFAULT));
        } catch (FormatException e) {
            return Optional.empty();
        }
    }
}
