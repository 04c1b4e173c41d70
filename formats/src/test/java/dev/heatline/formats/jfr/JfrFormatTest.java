package dev.heatline.formats.jfr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.heatline.formats.FormatException;
import dev.heatline.formats.ReadOptions;
import dev.heatline.formats.Source;
import dev.heatline.formats.WriteOptions;
import dev.heatline.model.Column;
import dev.heatline.model.Moments;
import dev.heatline.model.Operations;
import dev.heatline.model.Profile;
import dev.heatline.model.Provenance;
import dev.heatline.model.Resource;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Recordings of a program that does known things, and the JDK's own reader as the oracle. */
class JfrFormatTest {

    static List<Path> jvms() {
        return Recordings.jvms();
    }

    static List<Path> recordings() {
        return Recordings.all();
    }

    private static Profile read(Path file, String... events) {
        try (Source source = Source.open(file)) {
            return new JfrFormat().read(source, new ReadOptions(List.of(events), _ -> {}));
        }
    }

    @ParameterizedTest
    @MethodSource("recordings")
    void everyStackOfEveryThreadHasWhatTheJdkReads(Path recording) throws IOException {
        Profile profile = read(recording);
        boolean async = profile.provenance().fact(Provenance.COLLECTOR).equals("async-profiler");

        Map<Oracle.Row, Long> expected = Oracle.rows(recording, async);
        Map<Oracle.Row, Long> actual = Oracle.rows(profile);

        assertThat(expected).isNotEmpty();
        assertThat(without(actual, expected)).as("rows only we have").isEmpty();
        assertThat(without(expected, actual)).as("rows only the JDK has").isEmpty();
        actual.forEach(
                (row, value) -> {
                    // The JDK rounds each duration, we round their sum: at most 1 ns per event.
                    boolean isTime = row.resource().matches("blocked|waited|parked|slept|.*-time");
                    long tolerance = isTime ? 1000 : 0;
                    assertThat(value).as("%s", row).isCloseTo(expected.get(row), within(tolerance));
                });
    }

    @ParameterizedTest
    @MethodSource("recordings")
    void itIsKnownInWhichSecondSamplesWereTaken(Path recording) throws IOException {
        Provenance provenance = read(recording).provenance();
        boolean async = provenance.fact(Provenance.COLLECTOR).equals("async-profiler");
        Map<String, Map<Long, Long>> expected = Oracle.seconds(recording, async);

        assertThat(provenance.moments().keySet()).isEqualTo(expected.keySet());
        expected.forEach(
                (resource, seconds) ->
                        assertThat(provenance.moments().get(resource))
                                .as(resource)
                                .isEqualTo(moments(seconds)));
    }

    @ParameterizedTest
    @MethodSource("recordings")
    void whoAsksLearnsTheSecondsOfEveryStack(Path recording) throws IOException {
        Profile profile;
        try (Source source = Source.open(recording)) {
            profile = new JfrFormat().read(source, ReadOptions.DEFAULT.withSeconds());
        }
        Provenance provenance = profile.provenance();
        boolean async = provenance.fact(Provenance.COLLECTOR).equals("async-profiler");

        assertThat(Oracle.timed(profile)).isEqualTo(Oracle.timed(recording, async));
        assertThat(Oracle.rows(profile))
                .as("all else is the same")
                .containsAllEntriesOf(counts(read(recording)));
    }

    /** Without what is rounded for each second. */
    private static Map<Oracle.Row, Long> counts(Profile profile) {
        Map<Oracle.Row, Long> rows = Oracle.rows(profile);
        rows.keySet().removeIf(row -> row.resource().equals("cpu-time"));
        return rows;
    }

    private static Moments moments(Map<Long, Long> seconds) {
        Moments.Builder moments = new Moments.Builder();
        seconds.forEach(moments::add);
        return moments.build();
    }

    private static Set<Oracle.Row> without(Map<Oracle.Row, Long> a, Map<Oracle.Row, Long> b) {
        Set<Oracle.Row> rows = new HashSet<>(a.keySet());
        rows.removeAll(b.keySet());
        return rows;
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void samplesShowWhereTheTimeWent(Path jvm) {
        Profile profile = read(Recordings.ofWorkload(jvm));

        long most = samplesIn(profile, "burner", "burnThreeQuarters");
        long less = samplesIn(profile, "burner", "burnOneQuarter");

        assertThat(most + less).isGreaterThan(10);
        assertThat((double) most / (most + less)).isBetween(0.5, 0.97);
    }

    private static long samplesIn(Profile profile, String thread, String method) {
        return total(
                profile,
                "samples",
                row -> row.thread().equals(thread) && row.stack().contains("." + method + "("));
    }

    private static long total(Profile profile, String resource, Predicate<Oracle.Row> wanted) {
        return Oracle.rows(profile).entrySet().stream()
                .filter(e -> e.getKey().resource().equals(resource) && wanted.test(e.getKey()))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void timeIsSamplesTimesTheIntervalThatWasSet(Path jvm) {
        Profile profile = read(Recordings.ofWorkload(jvm));

        Column samples = profile.column("samples").orElseThrow();
        Column cpu = profile.column("cpu").orElseThrow();
        assertThat(cpu.total()).isEqualTo(samples.total() * 10_000_000);
        assertThat(cpu.resource().occurrences()).isEqualTo("samples");
        assertThat(profile.provenance().fact(Provenance.INTERVAL)).isEqualTo("10ms");
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void waitingAndThrowingIsCountedInItsThread(Path jvm) {
        Profile profile = read(Recordings.ofWorkload(jvm));

        assertThat(total(profile, "sleeps", r -> r.thread().equals("sleeper")))
                .isEqualTo(Workload.SLEEPS);
        assertThat(total(profile, "slept", r -> r.thread().equals("sleeper")))
                .isGreaterThanOrEqualTo(Workload.SLEEPS * 15_000_000L);
        assertThat(total(profile, "parks", r -> r.thread().equals("parker")))
                .isEqualTo(Workload.PARKS);
        assertThat(total(profile, "contentions", JfrFormatTest::isBlockedInEnter)).isEqualTo(1);
        assertThat(total(profile, "blocked", JfrFormatTest::isBlockedInEnter))
                .isGreaterThanOrEqualTo(15_000_000L);
        assertThat(total(profile, "waits", r -> r.stack().contains("Workload.waitOnce")))
                .isEqualTo(1);
        assertThat(total(profile, "exceptions", r -> r.stack().contains("Workload.throwOne()")))
                .isEqualTo(Workload.EXCEPTIONS);
    }

    private static boolean isBlockedInEnter(Oracle.Row row) {
        return row.thread().equals("blocked")
                && row.stack().startsWith(Workload.class.getName() + ".enter()");
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void bytesAreCountedWhereTheyWereMoved(Path jvm) {
        Profile profile = read(Recordings.ofWorkload(jvm));

        long fileBytes = (long) Workload.WRITES * Workload.BYTES_PER_WRITE;
        assertThat(total(profile, "file-write-bytes", r -> r.thread().equals("file writer")))
                .isEqualTo(fileBytes);
        assertThat(total(profile, "file-read-bytes", r -> r.thread().equals("file writer")))
                .isEqualTo(fileBytes);
        long socketBytes = (long) Workload.MESSAGES * Workload.BYTES_PER_MESSAGE;
        assertThat(total(profile, "socket-write-bytes", r -> r.thread().equals("sender")))
                .isEqualTo(socketBytes);
        assertThat(total(profile, "socket-read-bytes", r -> r.thread().equals("receiver")))
                .isEqualTo(socketBytes);
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void allocationIsSeenAtItsSite(Path jvm) {
        Profile profile = read(Recordings.ofWorkload(jvm));

        long outside =
                total(
                        profile,
                        "outside-tlab-allocated",
                        r -> r.stack().contains("Workload.allocate()"));
        long expected = (long) Workload.ALLOCATIONS * Workload.ALLOCATED_BYTES;
        assertThat((double) outside / expected).isBetween(0.9, 1.1);
        assertThat(profile.column("allocated").orElseThrow().resource().kind())
                .isEqualTo(Resource.Kind.BYTES);
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void classesStandBelowTheMethodsThatUsedThem(Path jvm) {
        Path recording = Recordings.ofWorkload(jvm);
        String workload = Workload.class.getName();
        Profile profile = readWithClasses(recording);

        assertThat(total(profile, "outside-tlab-allocated", begins("byte[] < " + workload)))
                .isGreaterThanOrEqualTo((long) Workload.ALLOCATIONS * Workload.ALLOCATED_BYTES);
        assertThat(total(profile, "contentions", begins("java.lang.Object < " + workload)))
                .isEqualTo(1);
        assertThat(total(profile, "waits", begins("java.lang.Object < java.lang.Object.wait")))
                .isPositive();
    }

    @ParameterizedTest
    @MethodSource("recordings")
    void withoutItsClassesAProfileIsTheSame(Path recording) {
        Profile plain = read(recording);
        Profile profile = readWithClasses(recording);
        Map<Oracle.Row, Long> expected = Oracle.rows(plain);
        Map<Oracle.Row, Long> actual = new HashMap<>();
        Oracle.rows(profile)
                .forEach((row, value) -> actual.merge(withoutClass(row), value, Long::sum));

        assertThat(actual.keySet()).isEqualTo(expected.keySet());
        // Times are rounded once more for every class.
        actual.forEach(
                (row, value) ->
                        assertThat(value).as("%s", row).isCloseTo(expected.get(row), within(100L)));
        assertThat(profile.provenance()).isEqualTo(plain.provenance());
    }

    /** Frames of methods have parentheses, and labels start with a bracket. */
    private static Oracle.Row withoutClass(Oracle.Row row) {
        String stack = row.stack().replaceFirst("^[^(\\[ ][^( ]* < ", "");
        return new Oracle.Row(row.resource(), row.thread(), stack);
    }

    private static Profile readWithClasses(Path recording) {
        try (Source source = Source.open(recording)) {
            return new JfrFormat().read(source, ReadOptions.DEFAULT.withClasses(true));
        }
    }

    private static Predicate<Oracle.Row> begins(String stack) {
        return row -> row.stack().startsWith(stack);
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void stacksCutOffByTheRecorderAreKeptApartAndCounted(Path jvm) {
        Profile profile = read(Recordings.ofWorkload(jvm));

        long truncated =
                total(
                        profile,
                        "samples",
                        r ->
                                r.thread().equals("recursive")
                                        && r.stack().endsWith("[truncated stacks]"));
        assertThat(truncated).isPositive();
        assertThat(profile.provenance().count(Provenance.TRUNCATED))
                .isGreaterThanOrEqualTo(truncated);
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void theProfileSaysWhereItComesFrom(Path jvm) {
        Provenance provenance = read(Recordings.ofWorkload(jvm)).provenance();

        assertThat(provenance.fact(Provenance.COLLECTOR)).isEqualTo("jfr");
        assertThat(provenance.fact("jvm")).contains(jvm.equals(Recordings.JVM_25) ? "25" : "17.");
        assertThat(provenance.fact(Provenance.APPLICATION)).isEqualTo(Workload.class.getName());
        assertThat(provenance.untilNanos() - provenance.fromNanos())
                .isBetween(500_000_000L, 60_000_000_000L);
    }

    @Test
    void unnamedVirtualThreadsAreOneConsumer() {
        Profile profile = read(Recordings.ofVirtualThreads());

        assertThat(total(profile, "sleeps", r -> r.thread().equals("virtual threads")))
                .isEqualTo(VirtualWorkload.UNNAMED);
        assertThat(total(profile, "sleeps", r -> r.thread().equals(VirtualWorkload.NAMED)))
                .isEqualTo(1);
    }

    @Test
    void asyncProfilersOwnSettingsGiveTheIntervals() {
        assumeTrue(Recordings.asyncProfilerWorks(), "async-profiler is for Linux on x86_64 here");
        Profile profile = read(Recordings.ofAsyncProfiler());

        assertThat(profile.provenance().fact(Provenance.COLLECTOR)).isEqualTo("async-profiler");
        assertThat(profile.provenance().fact(Provenance.INTERVAL)).isEqualTo("5ms");
        assertThat(profile.provenance().fact("wall interval")).isEqualTo("20ms");
        assertThat(profile.column("wall").orElseThrow().total())
                .isEqualTo(profile.column("wall-samples").orElseThrow().total() * 20_000_000);
        assertThat(total(profile, "allocated", r -> r.stack().contains("Workload.allocate()")))
                .isPositive();
    }

    @Test
    void otherEventsAreReadWhenAskedFor() {
        Path recording = Recordings.ofWorkload(Recordings.JVM_25);
        Profile profile =
                read(recording, "jdk.ThreadStart", "jdk.JavaMonitorWait:timeout", "jdk.ThreadPark");

        assertThat(profile.column("jdk.ThreadStart").orElseThrow().total()).isGreaterThan(5);
        Column timeout = profile.column("jdk.JavaMonitorWait:timeout").orElseThrow();
        assertThat(timeout.resource().unit()).isEqualTo("s");
        assertThat(timeout.resource().occurrences()).isEqualTo("waits");
        assertThat(timeout.total()).isGreaterThanOrEqualTo(15_000_000L);
        assertThat(profile.column("jdk.ThreadPark")).isEmpty();
    }

    @Test
    void anUnknownEventOrFieldIsRefusedWithNearNames() {
        Path recording = Recordings.ofWorkload(Recordings.JVM_25);
        assertThatThrownBy(() -> read(recording, "jdk.ThreadStrat"))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining("no event named 'jdk.ThreadStrat'")
                .hasMessageContaining("jdk.ThreadStart");
        assertThatThrownBy(() -> read(recording, "jdk.ThreadPark:timeuot"))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining("event jdk.ThreadPark has no field 'timeuot'")
                .hasMessageContaining("timeout");
    }

    @Test
    void concatenatedFilesGiveTheMergeOfTheirProfilesWhateverTheNumberOfWorkers(@TempDir Path temp)
            throws IOException {
        List<Path> parts = new ArrayList<>(Recordings.all());
        parts.addAll(Recordings.all());
        Path whole = temp.resolve("whole.jfr");
        try (OutputStream out = Files.newOutputStream(whole)) {
            JfrFormat.concatenate(parts, out);
        }
        Profile merged = Operations.merge(parts.stream().map(p -> read(p)).toList());

        for (int workers : new int[] {1, 2, 3, 16}) {
            AtomicLong progress = new AtomicLong();
            ReadOptions options =
                    new ReadOptions(List.of(), read -> progress.accumulateAndGet(read, Math::max));
            try (Source source = Source.open(whole)) {
                Profile profile = new Recording(source, options, workers).read();
                assertThat(profile).isEqualTo(merged);
            }
            assertThat(progress.get()).isEqualTo(Files.size(whole));
        }
    }

    @Test
    void onlyRecordingsAreConcatenated(@TempDir Path temp) throws IOException {
        Path other = Files.writeString(temp.resolve("other.jfr"), "a;b;c 1\n");

        assertThatThrownBy(() -> JfrFormat.concatenate(List.of(other), new ByteArrayOutputStream()))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining("other.jfr: no JFR chunk at byte 0");
    }

    @Test
    void aRecordingWithoutAnEndIsNotConcatenated(@TempDir Path temp) throws IOException {
        Path good = Files.write(temp.resolve("good.jfr"), HandmadeChunkTest.chunk(true));
        byte[] open = HandmadeChunkTest.chunk(true);
        Arrays.fill(open, 8, 16, (byte) 0);
        Path growing = Files.write(temp.resolve("growing.jfr"), open);
        ByteArrayOutputStream out = new ByteArrayOutputStream();

        assertThatThrownBy(() -> JfrFormat.concatenate(List.of(good, growing), out))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining("growing.jfr: the chunk at byte 0 was never finished");
        assertThat(out.size()).isZero();
    }

    @Test
    void recordingsAreNotWritten() {
        JfrFormat format = new JfrFormat();
        Profile profile = read(Recordings.ofVirtualThreads());

        assertThat(format.isWritable()).isFalse();
        assertThatThrownBy(
                        () ->
                                format.write(
                                        profile, new ByteArrayOutputStream(), WriteOptions.DEFAULT))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining("cannot be written");
    }
}
