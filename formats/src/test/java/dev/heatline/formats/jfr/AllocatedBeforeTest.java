package dev.heatline.formats.jfr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.heatline.formats.ReadOptions;
import dev.heatline.formats.Source;
import dev.heatline.formats.jfr.LiveRecording.Position;
import dev.heatline.model.Profile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a thread allocated before a recording began is none of the recording's. */
class AllocatedBeforeTest {
    private static final Set<String> EVENTS = Set.of("jdk.ObjectAllocationSample");
    private static final long PAUSE_NANOS = 20_000_000;
    private static final double PERCENT = 15;

    static List<Path> jvms() {
        return Recordings.jvms();
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void onlyWhatWasAllocatedWhileItWasRecordedCounts(Path jvm, @TempDir Path temp)
            throws Exception {
        Path dump = temp.resolve("dump.jfr");
        Path repository = Files.createDirectory(temp.resolve("repository"));
        Process target = Recordings.startAllocating(jvm, dump, repository);
        LiveInterval interval = new LiveInterval();
        try (LiveRecording live =
                new LiveRecording(folderIn(repository, target), EVENTS, Position.START)) {
            while (target.isAlive()) {
                live.read(interval);
                LockSupport.parkNanos(PAUSE_NANOS);
            }
            live.read(interval);
        } finally {
            target.destroyForcibly();
        }
        Profile file;
        try (Source source = Source.open(dump)) {
            file = new JfrFormat().read(source, ReadOptions.DEFAULT);
        }
        long told = allocated(Oracle.rows(dump, false), AllocatingWorkload.THREAD);
        assertThat(told).as("as the JDK tells it").isGreaterThan(AllocatingWorkload.BEFORE);
        assertThat(allocated(Oracle.rows(file), AllocatingWorkload.THREAD))
                .as("in the file")
                .isCloseTo(AllocatingWorkload.RECORDED, withinPercentage(PERCENT));
        Profile followed = interval.build();
        assertThat(allocated(Oracle.rows(followed), AllocatingWorkload.THREAD))
                .as("followed")
                .isCloseTo(AllocatingWorkload.RECORDED, withinPercentage(PERCENT));
        assertThat(allocated(Oracle.rows(file), AllocatingWorkload.LATE_THREAD))
                .as("of a thread that had not allocated anything")
                .isEqualTo(allocated(Oracle.rows(followed), AllocatingWorkload.LATE_THREAD))
                .isEqualTo(allocated(Oracle.rows(dump, false), AllocatingWorkload.LATE_THREAD));
    }

    private static long allocated(Map<Oracle.Row, Long> rows, String thread) {
        return rows.entrySet().stream()
                .filter(row -> row.getKey().resource().equals("allocated"))
                .filter(row -> row.getKey().thread().equals(thread))
                .mapToLong(row -> row.getValue())
                .sum();
    }

    /** The folder that the JVM writes to; it may make and delete another one before. */
    private static Path folderIn(Path repository, Process target) {
        while (target.isAlive()) {
            try (Stream<Path> files = Files.walk(repository)) {
                List<Path> folders =
                        files.filter(file -> file.toString().endsWith(".jfr"))
                                .map(Path::getParent)
                                .toList();
                if (!folders.isEmpty()) {
                    return folders.getFirst();
                }
            } catch (IOException | UncheckedIOException e) {
                // The folder is gone again.
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        throw new AssertionError("the target ended before anything was recorded");
    }
}
