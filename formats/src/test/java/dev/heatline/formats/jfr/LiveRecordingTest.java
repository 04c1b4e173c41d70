package dev.heatline.formats.jfr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heatline.formats.FormatException;
import dev.heatline.formats.ReadOptions;
import dev.heatline.formats.Source;
import dev.heatline.formats.jfr.LiveRecording.Position;
import dev.heatline.model.Column;
import dev.heatline.model.Operations;
import dev.heatline.model.Profile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Following real JVMs, across chunks, restarts of the reader and the death of the target. */
class LiveRecordingTest {
    private static final long PAUSE_NANOS = 50_000_000;

    /** Offsets in the header of a chunk. */
    private static final int START_NANOS = 32;

    private static final int START_TICKS = 48;

    private static final Set<String> EVENTS =
            Set.of("jdk.ExecutionSample", "jdk.ObjectAllocationSample");
    private static final String SETTINGS =
            "settings=none,disk=true,flush-interval=1s"
                    + ",+jdk.ActiveSetting#enabled=true"
                    + ",+jdk.ExecutionSample#enabled=true"
                    + ",+jdk.ExecutionSample#period=10ms"
                    + ",+jdk.ObjectAllocationSample#enabled=true"
                    + ",+jdk.ThreadAllocationStatistics#enabled=true"
                    + ",+jdk.ThreadAllocationStatistics#period=everyChunk"
                    + ",+jdk.JavaExceptionThrow#enabled=true";

    static List<Path> jvms() {
        return Recordings.jvms();
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void everyEventIsReadOnceAcrossChunksAndRestarts(Path jvm, @TempDir Path temp)
            throws Exception {
        Process target = Recordings.startLingering(jvm, SETTINGS, temp);
        List<Profile> intervals = new ArrayList<>();
        Position position = Position.START;
        try {
            Path folder = folderIn(temp);
            for (int rotations = 0; rotations < 3; rotations++) {
                if (rotations > 0) {
                    rotate(jvm, target);
                }
                for (int restart = 0; restart < 2; restart++) {
                    position = readSome(folder, position, intervals);
                }
            }
            target.destroyForcibly().waitFor();
            position = readRest(folder, position, intervals);
            assertThat(readRest(folder, position, intervals)).isEqualTo(position);

            Profile followed = merged(intervals);
            Profile whole = merged(chunksOf(folder));
            assertThat(chunksOf(folder)).hasSizeGreaterThan(3);
            assertThat(followed.column("exceptions")).as("nobody asked for them").isEmpty();
            for (String resource : List.of("samples", "cpu", "allocations", "allocated")) {
                Column column = followed.column(resource).orElseThrow();
                assertThat(column.total())
                        .as(resource)
                        .isEqualTo(whole.column(resource).orElseThrow().total());
            }
            assertThat(followed.provenance().fact("interval")).isEqualTo("10ms");
        } finally {
            target.destroyForcibly();
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void theEndIsReadEvenThoughTheJvmDeletesItsRepository(Path jvm, @TempDir Path temp)
            throws Exception {
        Path dump = temp.resolve("dump.jfr");
        Process target = Recordings.startBurning(jvm, SETTINGS + ",filename=" + dump, temp, 3_000);
        LiveInterval interval = new LiveInterval();
        Path folder = folderIn(temp);
        try (LiveRecording live = new LiveRecording(folder, EVENTS, Position.START)) {
            while (target.isAlive()) {
                live.read(interval);
                LockSupport.parkNanos(PAUSE_NANOS);
            }
            live.read(interval);
            assertThat(folder).doesNotExist();
        }
        Profile followed = interval.build();
        assertThat(followed.column("samples").orElseThrow().total())
                .isPositive()
                .isEqualTo(read(dump).column("samples").orElseThrow().total());
        Map<Oracle.Timed, Long> timed = Oracle.timed(dump, false);
        timed.keySet().removeIf(it -> it.row().resource().equals("exceptions"));
        assertThat(Oracle.timed(followed)).containsExactlyInAnyOrderEntriesOf(timed);
    }

    @Test
    void aChunkThatWasDeletedUnreadIsCountedWithItsTime(@TempDir Path folder) throws IOException {
        Path recording = Recordings.ofWorkload(Recordings.JVM_25);
        Files.copy(recording, folder.resolve("2026_01_02.jfr"));
        long start = ByteBuffer.wrap(Files.readAllBytes(recording)).getLong(START_NANOS);
        Position gone = new Position("2026_01_01.jfr", 4711, start - 90_000_000_000L, 0);
        LiveInterval interval = new LiveInterval();
        try (LiveRecording live = new LiveRecording(folder, EVENTS, gone)) {
            assertThat(live.read(interval)).isTrue();
        }
        Profile profile = interval.build();
        assertThat(profile.provenance().count(LiveRecording.LOST_CHUNKS)).isEqualTo(1);
        assertThat(profile.provenance().count(LiveRecording.MISSING_MILLIS)).isEqualTo(90_000);
        assertThat(profile.column("samples").orElseThrow().total())
                .isEqualTo(read(recording).column("samples").orElseThrow().total());
    }

    @Test
    void aDamagedChunkIsCountedAndTheNextOneRead(@TempDir Path folder) throws IOException {
        byte[] recording = Files.readAllBytes(Recordings.ofWorkload(Recordings.JVM_25));
        byte[] damaged = recording.clone();
        java.util.Arrays.fill(damaged, Chunk.HEADER_BYTES, Chunk.HEADER_BYTES + 100, (byte) 0);
        Files.write(folder.resolve("a.jfr"), damaged);
        Files.write(folder.resolve("b.jfr"), recording);
        Files.write(folder.resolve("c.jfr"), new byte[10]);
        LiveInterval interval = new LiveInterval();
        try (LiveRecording live = new LiveRecording(folder, EVENTS, Position.START)) {
            assertThat(live.read(interval)).isTrue();
            assertThat(live.read(interval)).isFalse();
        }
        Profile profile = interval.build();
        assertThat(profile.provenance().count(Recording.DAMAGED_CHUNKS)).isEqualTo(1);
        assertThat(profile.column("samples").orElseThrow().total()).isPositive();
    }

    @Test
    void chunksFromBeforeTheRecordingAreNotRead(@TempDir Path folder) throws IOException {
        Files.copy(Recordings.ofWorkload(Recordings.JVM_25), folder.resolve("a.jfr"));
        try (LiveRecording live =
                new LiveRecording(folder, EVENTS, Position.since(Long.MAX_VALUE))) {
            assertThat(live.read(new LiveInterval())).isFalse();
        }
    }

    @Test
    void aClockThatIsPutBackHidesNoChunk(@TempDir Path folder) throws IOException {
        long hour = 3_600_000_000_000L;
        long start = 1_792_890_000_000_000_000L;
        chunk(folder, "2026_10_25_02_10_00.jfr", start - hour, 10);
        chunk(folder, "2026_10_25_02_50_00.jfr", start, 20);
        long each;
        Position position;
        try (LiveRecording live = new LiveRecording(folder, EVENTS, Position.since(start))) {
            each = samplesIn(live);
            assertThat(each).as("only the second").isPositive();
            chunk(folder, "2026_10_25_02_00_00.jfr", start - hour + 1, 30);
            assertThat(samplesIn(live)).as("earlier by name and by clock").isEqualTo(each);
            position = Position.parse(live.position().written());
        }
        chunk(folder, "2026_10_25_02_30_00.jfr", start - hour + 2, 40);
        try (LiveRecording live = new LiveRecording(folder, EVENTS, position)) {
            assertThat(samplesIn(live)).as("after a restart").isEqualTo(each);
            assertThat(samplesIn(live)).as("once").isZero();
            Files.delete(folder.resolve("2026_10_25_02_30_00.jfr"));
            assertThat(samplesIn(live)).isZero();
            chunk(folder, "2026_10_25_02_30_00.jfr", start, 50);
            assertThat(samplesIn(live)).as("a name that comes again").isEqualTo(each);
            assertThat(samplesIn(live)).isZero();
        }
    }

    @Test
    void afterAPositionWithoutTicksNamesDecide(@TempDir Path folder) throws IOException {
        chunk(folder, "a.jfr", 1_000, 10);
        chunk(folder, "b.jfr", 2_000, 20);
        Position old = Position.parse("a.jfr:" + Long.MAX_VALUE + ":2000");
        try (LiveRecording live = new LiveRecording(folder, EVENTS, old)) {
            assertThat(samplesIn(live)).isPositive();
            assertThat(live.position().chunk()).isEqualTo("b.jfr");
            assertThat(live.position().startTicks()).isEqualTo(20);
        }
    }

    @Test
    void onlyTheOwnFilesOfTheJvmAreRead(@TempDir Path folder, @TempDir Path elsewhere)
            throws Exception {
        chunk(elsewhere, "secret.jfr", 1_000, 10);
        Files.createSymbolicLink(folder.resolve("a.jfr"), elsewhere.resolve("secret.jfr"));
        Path pipe = folder.resolve("b.jfr");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
        Files.createDirectory(folder.resolve("c.jfr"));
        if (System.getProperty("user.name").equals("root")) {
            chunk(folder, "d.jfr", 1_000, 10);
            UserPrincipal nobody =
                    folder.getFileSystem()
                            .getUserPrincipalLookupService()
                            .lookupPrincipalByName("nobody");
            Files.setOwner(folder.resolve("d.jfr"), nobody);
        }
        try (LiveRecording live = new LiveRecording(folder, EVENTS, Position.START)) {
            assertThat(live.read(new LiveInterval())).isFalse();
        }
    }

    @Test
    void aHeaderThatIsDamagedIsPassedOver(@TempDir Path folder) throws IOException {
        byte[] damaged = chunk(folder, "b.jfr", 2_000, 20);
        damaged[5] = 77;
        Files.write(folder.resolve("a.jfr"), damaged);
        try (LiveRecording live = new LiveRecording(folder, EVENTS, Position.START)) {
            assertThat(live.read(new LiveInterval())).isTrue();
            assertThat(live.position().chunk()).isEqualTo("b.jfr");
        }
    }

    /** A real chunk that says it began at another moment. */
    private static byte[] chunk(Path folder, String name, long startNanos, long startTicks)
            throws IOException {
        byte[] bytes = Files.readAllBytes(Recordings.ofWorkload(Recordings.JVM_25));
        ByteBuffer.wrap(bytes).putLong(START_NANOS, startNanos).putLong(START_TICKS, startTicks);
        Files.write(folder.resolve(name), bytes);
        return bytes;
    }

    /** What was not read yet. */
    private static long samplesIn(LiveRecording live) {
        LiveInterval interval = new LiveInterval();
        live.read(interval);
        return interval.build().column("samples").map(Column::total).orElse(0L);
    }

    @Test
    void aFolderThatIsNotThereHoldsNothingYet(@TempDir Path temp) {
        try (LiveRecording live = new LiveRecording(temp.resolve("no"), EVENTS, Position.START)) {
            assertThat(live.read(new LiveInterval())).isFalse();
        }
    }

    @Test
    void positionsAreReadAsTheyAreWritten() {
        Position position =
                new Position("2026_11_15:odd@.jfr", 4711, 1_763_200_000_000_000_000L, 42);
        assertThat(Position.parse(position.written())).isEqualTo(position);
        assertThat(Position.parse("odd@.jfr:4711:12"))
                .as("written before ticks were known")
                .isEqualTo(new Position("odd@.jfr", 4711, 12, 0));
        assertThatThrownBy(() -> Position.parse("nonsense"))
                .isInstanceOf(FormatException.class)
                .hasMessage("'nonsense' is no position in a recording");
    }

    /** Follows until there are more samples, as if for one interval of a short-lived reader. */
    private static Position readSome(Path folder, Position from, List<Profile> intervals) {
        LiveInterval interval = new LiveInterval();
        try (LiveRecording live =
                new LiveRecording(folder, EVENTS, Position.parse(from.written()))) {
            await("samples", () -> live.read(interval) && interval.nodeCount() > 1);
            intervals.add(interval.build());
            return live.position();
        }
    }

    private static Position readRest(Path folder, Position from, List<Profile> intervals) {
        LiveInterval interval = new LiveInterval();
        try (LiveRecording live = new LiveRecording(folder, EVENTS, from)) {
            live.read(interval);
            intervals.add(interval.build());
            return live.position();
        }
    }

    /** Starting and stopping another recording begins new chunks. */
    private static void rotate(Path jvm, Process target) throws Exception {
        String pid = String.valueOf(target.pid());
        for (String command :
                List.of("JFR.start name=other settings=none", "JFR.stop name=other")) {
            List<String> line = new ArrayList<>(List.of(jvm + "/bin/jcmd", pid));
            line.addAll(List.of(command.split(" ", -1)));
            Process jcmd =
                    new ProcessBuilder(line)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start();
            assertThat(jcmd.waitFor()).isZero();
        }
    }

    private static Path folderIn(Path repository) {
        List<Path> found = new ArrayList<>();
        await(
                "the repository",
                () -> {
                    try (Stream<Path> files = Files.walk(repository)) {
                        files.filter(file -> file.toString().endsWith(".jfr"))
                                .map(Path::getParent)
                                .filter(folder -> !folder.equals(repository))
                                .forEach(found::add);
                        return !found.isEmpty();
                    } catch (IOException | UncheckedIOException e) {
                        // JVMs make and delete a folder before the one they write to.
                        return false;
                    }
                });
        return found.getFirst();
    }

    private static void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError(what + " did not come within 60 s");
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private static List<Profile> chunksOf(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".jfr"))
                    .map(LiveRecordingTest::read)
                    .toList();
        }
    }

    private static Profile read(Path file) {
        try (Source source = Source.open(file)) {
            return new JfrFormat().read(source, ReadOptions.DEFAULT);
        }
    }

    private static Profile merged(List<Profile> profiles) {
        return Operations.merge(profiles);
    }
}
