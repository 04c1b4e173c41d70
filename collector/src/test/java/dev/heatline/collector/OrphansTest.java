package dev.heatline.collector;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.collector.jvm.Target;
import dev.heatline.collector.spool.Spool;
import dev.heatline.formats.Formats;
import dev.heatline.formats.ReadOptions;
import dev.heatline.formats.Source;
import dev.heatline.formats.jfr.LiveRecording;
import dev.heatline.formats.jfr.LiveRecording.Position;
import dev.heatline.model.Execution;
import dev.heatline.model.Operations;
import dev.heatline.model.Profile;
import dev.heatline.model.Provenance;
import dev.heatline.wire.ProcessKey;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What killed JVMs left behind while no collector was there. */
class OrphansTest {
    /** Where the header of a chunk says when it began. */
    private static final int START_NANOS = 32;

    private static final Set<String> EVENTS = Set.of("jdk.ExecutionSample");
    static final String RECORDING =
            "-XX:StartFlightRecording=settings=none,disk=true,flush-interval=1s"
                    + ",+jdk.ActiveSetting#enabled=true,+jdk.ExecutionSample#enabled=true"
                    + ",+jdk.ExecutionSample#period=10ms";

    /** As Heatline does it. */
    private static final String OURS =
            RECORDING + ",name=heatline,+jdk.ActiveRecording#enabled=true";

    @TempDir private Path temporary;

    private final List<String> said = new ArrayList<>();
    private final Memory memory = new Memory(Memory.DEFAULT_LIMIT);

    static List<Path> jvms() {
        return Target.jvms();
    }

    @OnJvmsAtOnce
    void theRestIsReadInPiecesThatFitAndForgotten(Path home) throws Exception {
        Path folder = temporary.resolve("spool");
        Map<String, Long> recorded = abandoned(home, folder, Optional.empty());
        try (Spool spool = Spool.open(folder, 1 << 26, said::add)) {
            int before = profiles(folder).size();
            new Orphans(spool, new Memory(1), new CallTimes(), EVENTS, said::add).read(Set.of());
            assertThat(profiles(folder)).as("one of each chunk").hasSizeGreaterThan(before + 1);
            assertThat(Program.totals(profiles(folder))).isEqualTo(recorded);
            assertThat(spool.sources()).isEmpty();
        }
        assertThat(said).isEmpty();
    }

    @OnJvmsAtOnce
    void whatCameAfterTheClockWasPutBackIsAProfileOfItsOwn(Path home) throws Exception {
        Path folder = temporary.resolve("spool");
        Map<String, Long> recorded = abandoned(home, folder, Optional.empty());
        putBack(chunks().getLast(), Duration.ofHours(1));
        try (Spool spool = Spool.open(folder, 1 << 26, said::add)) {
            new Orphans(spool, memory, new CallTimes(), EVENTS, said::add).read(Set.of());
        }
        assertThat(Program.totals(profiles(folder))).isEqualTo(recorded);
        assertThat(profiles(folder))
                .extracting(Profile::provenance)
                .allSatisfy(
                        it ->
                                assertThat(it.untilNanos() - it.fromNanos())
                                        .isLessThan(Duration.ofMinutes(10).toNanos()));
        assertThat(said).isEmpty();
    }

    /** What the JVM recorded, the oldest first. */
    private List<Path> chunks() throws IOException {
        try (Stream<Path> files = Files.walk(temporary.resolve("repositories"))) {
            return files.filter(file -> file.toString().endsWith(".jfr")).sorted().toList();
        }
    }

    /** As if the system's clock had been put back before this chunk. */
    private static void putBack(Path chunk, Duration by) throws IOException {
        byte[] bytes = Files.readAllBytes(chunk);
        ByteBuffer header = ByteBuffer.wrap(bytes);
        header.putLong(START_NANOS, header.getLong(START_NANOS) - by.toNanos());
        Files.write(chunk, bytes);
    }

    @OnJvmsAtOnce
    void aPidThatIsUsedAgainDoesNotHideThem(Path home) throws Exception {
        Path folder = temporary.resolve("spool");
        ProcessKey other = new ProcessKey(ProcessHandle.current().pid(), "0");
        Map<String, Long> recorded = abandoned(home, folder, Optional.of(other));
        try (Spool spool = Spool.open(folder, 1 << 26, said::add)) {
            new Orphans(spool, memory, new CallTimes(), EVENTS, said::add).read(Set.of());
            assertThat(Program.totals(profiles(folder))).isEqualTo(recorded);
            assertThat(spool.sources()).isEmpty();
        }
    }

    @OnJvmsAtOnce
    void whatSomebodyStillFollowsIsReadByNobodyElse(Path home) throws Exception {
        Path folder = temporary.resolve("spool");
        ProcessKey ended = new ProcessKey(ProcessHandle.current().pid(), "0");
        Map<String, Long> recorded = abandoned(home, folder, Optional.of(ended));
        try (Spool spool = Spool.open(folder, 1 << 26, said::add)) {
            int before = profiles(folder).size();
            Orphans orphans = new Orphans(spool, memory, new CallTimes(), EVENTS, said::add);
            orphans.read(Set.of(ended));
            assertThat(profiles(folder)).hasSize(before);
            orphans.read(Set.of());
            assertThat(Program.totals(profiles(folder))).isEqualTo(recorded);
        }
    }

    @OnJvmsAtOnce
    void aJvmThatRunsIsLeftAlone(Path home) throws Exception {
        Path folder = temporary.resolve("spool");
        abandoned(home, folder, Optional.of(ProcessKey.current()));
        try (Spool spool = Spool.open(folder, 1 << 26, said::add)) {
            int before = profiles(folder).size();
            new Orphans(spool, memory, new CallTimes(), EVENTS, said::add).read(Set.of());
            assertThat(profiles(folder)).hasSize(before);
            assertThat(spool.sources()).hasSize(1);
        }
    }

    @OnJvmsAtOnce
    void whatCannotBeKeptIsNotForgotten(Path home) throws Exception {
        Path folder = temporary.resolve("spool");
        Map<String, Long> recorded = abandoned(home, folder, Optional.empty());
        Path elsewhere = temporary.resolve("elsewhere");
        try (Spool spool = Spool.open(folder, 1 << 26, said::add)) {
            Files.move(folder, elsewhere);
            new Orphans(spool, memory, new CallTimes(), EVENTS, said::add).read(Set.of());
            assertThat(said).isNotEmpty();
            Files.move(elsewhere, folder);
            assertThat(spool.sources()).hasSize(1);
        }
        try (Spool spool = Spool.open(folder, 1 << 26, said::add)) {
            new Orphans(spool, memory, new CallTimes(), EVENTS, said::add).read(Set.of());
            assertThat(Program.totals(profiles(folder))).isEqualTo(recorded);
        }
    }

    @OnJvmsAtOnce
    void whatIsKeptIsDeletedOnceAndNothingIsMissedAfterwards(Path home) throws Exception {
        Path folder = temporary.resolve("spool");
        Path repository;
        try (Program program = Program.start(home, "orphan", temporary, OURS)) {
            repository = program.repository();
            readSome(program, folder);
            program.command("JFR.start", "name=heatline", "settings=none");
            program.kill();
        }
        Path elsewhere = Files.createDirectory(temporary.resolve("elsewhere"));
        Path link =
                Files.createSymbolicLink(temporary.resolve(repository.getFileName()), repository);
        Remains.delete(link);
        assertThat(repository).isNotEmptyDirectory();
        Path precious = Files.writeString(elsewhere.resolve("2026_01_01_00_00_00.jfr"), "precious");
        Path inside = repository.resolve(precious.getFileName());
        Files.createSymbolicLink(inside, precious);
        int profiles;
        try (Spool spool = Spool.open(folder, 1 << 26, said::add)) {
            new Orphans(spool, memory, new CallTimes(), EVENTS, said::add).read(Set.of());
            profiles = profiles(folder).size();
            assertThat(precious).hasContent("precious");
            try (Stream<Path> left = Files.list(repository)) {
                assertThat(left).containsExactly(inside);
            }
        }
        Files.delete(inside);
        // Its profiles wait for their upload, so the next process knows the source again.
        try (Spool spool = Spool.open(folder, 1 << 26, said::add)) {
            assertThat(spool.sources()).hasSize(1);
            new Orphans(spool, memory, new CallTimes(), EVENTS, said::add).read(Set.of());
            assertThat(repository).doesNotExist();
        }
        try (Spool spool = Spool.open(folder, 1 << 26, said::add)) {
            new Orphans(spool, memory, new CallTimes(), EVENTS, said::add).read(Set.of());
            assertThat(profiles(folder)).hasSize(profiles);
            assertThat(spool.sources()).isEmpty();
        }
        assertThat(said).isEmpty();
    }

    @OnJvmsAtOnce
    void whatOthersRecordedTooIsLeftToThem(Path home) throws Exception {
        Path folder = temporary.resolve("spool");
        Path repository;
        try (Program program = Program.start(home, "orphan", temporary, OURS)) {
            repository = program.repository();
            readSome(program, folder);
            program.command("JFR.start", "name=other", "settings=none");
            program.command("JFR.stop", "name=other");
            program.kill();
        }
        try (Spool spool = Spool.open(folder, 1 << 26, said::add)) {
            new Orphans(spool, memory, new CallTimes(), EVENTS, said::add).read(Set.of());
            assertThat(spool.sources()).isEmpty();
        }
        try (Stream<Path> chunks = Files.list(repository)) {
            assertThat(chunks).hasSize(3);
        }
    }

    @Test
    void whatAJvmKeptOnPurposeIsLeftToIt() throws Exception {
        Path repositories = temporary.resolve("repositories");
        String keeping =
                "-XX:FlightRecorderOptions=preserve-repository=true,repository=" + repositories;
        Path repository;
        try (Program program =
                Program.start(Target.jvms().getFirst(), "orphan", temporary, OURS, keeping)) {
            repository = program.repository();
        }
        Remains.delete(repository);
        assertThat(repository).isNotEmptyDirectory();
    }

    @OnJvmsAtOnce
    void whatAJvmDeletedUnreadIsCountedOnceAndSaid(Path home) throws Exception {
        Path folder = temporary.resolve("spool");
        try (Program program = Program.start(home, "orphan", temporary, OURS)) {
            readSome(program, folder);
        }
        Map<String, Long> before = Program.totals(profiles(folder));
        for (int process = 0; process < 2; process++) {
            try (Spool spool = Spool.open(folder, 1 << 26, said::add)) {
                new Orphans(spool, memory, new CallTimes(), EVENTS, said::add).read(Set.of());
                assertThat(spool.sources()).isEmpty();
            }
        }
        Profile all = Operations.merge(profiles(folder));
        assertThat(all.provenance().count(LiveRecording.LOST_CHUNKS)).isEqualTo(1);
        assertThat(all.provenance().fact(Provenance.APPLICATION)).isEqualTo("orphan");
        assertThat(Program.totals(profiles(folder))).isEqualTo(before);
        assertThat(said).singleElement().asString().contains("(orphan) ended", "is lost");
    }

    /** As a collector does that dies then. */
    private void readSome(Program program, Path folder) throws Exception {
        try (Spool spool = Spool.open(folder, 1 << 26, said::add)) {
            readSome(program.repository(), program.jvm().process(), spool, folder);
        }
    }

    private void readSome(Path repository, ProcessKey key, Spool spool, Path folder)
            throws Exception {
        try (LiveRecording live = new LiveRecording(repository, EVENTS, Position.START);
                IntervalWriter writer =
                        new IntervalWriter(
                                spool,
                                memory,
                                repository.toString(),
                                key,
                                new Execution("orphan", "", ""),
                                new CallTimes(),
                                said::add)) {
            Program.awaitThat(
                    "samples come",
                    () -> {
                        writer.read(live);
                        writer.keep(live.position(), CostMeter.Cost.UNKNOWN, "");
                        return Program.totals(profiles(folder)).containsKey("samples");
                    });
        }
    }

    /**
     * Reads a little of a JVM's recording into a spool, lets it begin more chunks, and kills it.
     *
     * @param process what the spool says whose recording it is; the JVM itself if empty
     * @return all that it recorded
     */
    private Map<String, Long> abandoned(Path home, Path folder, Optional<ProcessKey> process)
            throws Exception {
        try (Program program = Program.start(home, "orphan", temporary, RECORDING);
                Spool spool = Spool.open(folder, 1 << 26, said::add)) {
            Path repository = program.repository();
            ProcessKey key = process.isPresent() ? process.get() : program.jvm().process();
            readSome(repository, key, spool, folder);
            program.command("JFR.start", "name=other", "settings=none");
            long before = Program.samples(program.recorded());
            Program.awaitThat(
                    "more samples", () -> Program.samples(program.recorded()) > before + 10);
            program.kill();
            return program.recorded();
        }
    }

    private static List<Profile> profiles(Path spool) throws IOException {
        List<Profile> profiles = new ArrayList<>();
        try (Stream<Path> files = Files.list(spool)) {
            for (Path file : files.filter(it -> it.toString().endsWith(".entry")).toList()) {
                profiles.add(profile(Files.readAllBytes(file)));
            }
        }
        return profiles;
    }

    /** The profile lies behind a head of which the third number is the length. */
    private static Profile profile(byte[] file) {
        int head = 16 + ByteBuffer.wrap(file).getInt(8);
        byte[] body = Arrays.copyOfRange(file, head, file.length);
        return Formats.read(Source.of("entry", body), ReadOptions.DEFAULT);
    }
}
