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
import dev.heatline.model.Profile;
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
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What killed JVMs left behind while no collector was there. */
class OrphansTest {
    /** Where the header of a chunk says when it began. */
    private static final int START_NANOS = 32;

    private static final Set<String> EVENTS = Set.of("jdk.ExecutionSample");
    static final String RECORDING =
            "-XX:StartFlightRecording=settings=none,disk=true,flush-interval=1s"
                    + ",+jdk.ActiveSetting#enabled=true,+jdk.ExecutionSample#enabled=true"
                    + ",+jdk.ExecutionSample#period=10ms";

    @TempDir private Path temporary;

    private final List<String> said = new ArrayList<>();
    private final Memory memory = new Memory(Memory.DEFAULT_LIMIT);

    static List<Path> jvms() {
        return Target.jvms();
    }

    @ParameterizedTest
    @MethodSource("jvms")
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

    @ParameterizedTest
    @MethodSource("jvms")
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

    @ParameterizedTest
    @MethodSource("jvms")
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

    @ParameterizedTest
    @MethodSource("jvms")
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

    @ParameterizedTest
    @MethodSource("jvms")
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

    @ParameterizedTest
    @MethodSource("jvms")
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
