package dev.heatline.collector.spool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heatline.model.Execution;
import dev.heatline.model.Profile;
import dev.heatline.model.Provenance;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpoolTest {
    private static final long LIMIT = 1 << 20;

    @TempDir private Path temporary;

    private final List<String> said = new ArrayList<>();
    private Path folder = Path.of("");
    private Spool spool;

    @BeforeEach
    void open() {
        folder = temporary.resolve("spool");
        spool = Spool.open(folder, LIMIT, said::add);
    }

    @AfterEach
    void close() {
        spool.close();
    }

    private void reopen() {
        reopen(LIMIT);
    }

    private void reopen(long limit) {
        spool.close();
        spool = Spool.open(folder, limit, said::add);
    }

    private SpoolFile oldest() {
        return spool.oldest().orElseThrow();
    }

    private Profile content(SpoolFile file) throws IOException {
        try (InputStream body = spool.body(file)) {
            return Profiles.read(body.readAllBytes());
        }
    }

    private List<Path> files(String ending) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(ending)).sorted().toList();
        }
    }

    @Test
    void whatWasAppendedIsThereAfterARestartOldestFirst() throws IOException {
        Entry first = Profiles.entry("jvm", "chunk 1");
        Entry second = Profiles.entry("jvm", "chunk 2");
        spool.append(first, Profiles.of(11));
        spool.append(second, Profiles.of(22));
        reopen();
        assertThat(oldest().entry()).isEqualTo(first);
        assertThat(content(oldest())).isEqualTo(Profiles.of(11));
        spool.remove(oldest());
        assertThat(oldest().entry()).isEqualTo(second);
        assertThat(content(oldest())).isEqualTo(Profiles.of(22));
        spool.remove(oldest());
        assertThat(spool.oldest()).isEmpty();
        assertThat(spool.counts()).isEqualTo(new Spool.Counts(0, 0, Loss.NONE, 0));
    }

    @Test
    void positionsOutliveTheirEntriesUntilTheyAreForgotten() throws IOException {
        spool.append(Profiles.entry("a", "1"), Profiles.of(1));
        spool.append(Profiles.entry("b", "1"), Profiles.of(1));
        spool.append(Profiles.entry("a", "2"), Profiles.of(1));
        for (int i = 0; i < 3; i++) {
            spool.remove(oldest());
            reopen();
            assertThat(spool.position("a")).contains("2");
            assertThat(spool.position("b")).contains("1");
        }
        assertThat(spool.sources()).containsExactly("a", "b");
        assertThat(files("")).as("folder, aside, lock, two positions").hasSize(5);
        spool.forget("a");
        reopen();
        assertThat(spool.position("a")).isEmpty();
        assertThat(spool.position("b")).contains("1");
        spool.forget("b");
        assertThat(files(".position")).isEmpty();
    }

    @Test
    void whereReadingBeganIsKeptUntilThereIsAProfile() throws IOException {
        spool.begin(Profiles.entry("a", "0"));
        reopen();
        assertThat(spool.position("a")).contains("0");
        assertThat(spool.oldest()).isEmpty();
        assertThat(spool.counts()).isEqualTo(new Spool.Counts(0, 0, Loss.NONE, 0));
        spool.append(Profiles.entry("a", "1"), Profiles.of(1));
        spool.begin(Profiles.entry("a", "0"));
        assertThat(files(".position")).isEmpty();
        spool.remove(oldest());
        reopen();
        assertThat(spool.position("a")).contains("1");
        spool.begin(Profiles.entry("b", "0"));
        spool.forget("b");
        assertThat(files(".position")).hasSize(1);
    }

    @Test
    void aSourceForgottenBeforeItsUploadLeavesNothing() throws IOException {
        spool.append(Profiles.entry("a", "1"), Profiles.of(1));
        spool.forget("a");
        assertThat(spool.position("a")).isEmpty();
        spool.remove(oldest());
        reopen();
        assertThat(spool.sources()).isEmpty();
        assertThat(files("")).as("folder, aside, lock").hasSize(3);
    }

    @Test
    void manyEntriesLeaveOneSmallFilePerSource() throws IOException {
        for (int i = 0; i < 50; i++) {
            spool.append(Profiles.entry("a", "" + i), Profiles.large(500, i));
            spool.remove(oldest());
        }
        assertThat(files("")).as("folder, aside, lock, position").hasSize(4);
        assertThat(Files.size(files(".position").getFirst())).isLessThan(500);
    }

    @Test
    void withoutRoomTheOldestButTheFirstAreDroppedAndTheNextTellsIt() throws IOException {
        long limit = 40_000;
        reopen(limit);
        Loss told = Loss.NONE;
        for (int i = 0; i < 30; i++) {
            spool.append(Profiles.entry("a", "" + i), Profiles.large(500, i));
            assertThat(spool.counts().bytes()).isLessThanOrEqualTo(limit);
        }
        Loss dropped = spool.counts().dropped();
        int left = spool.counts().entries();
        assertThat(dropped.profiles()).isPositive().isEqualTo(30 - left);
        assertThat(dropped.samples()).isEqualTo(500L * (30 - left));
        assertThat(oldest().entry().position()).isEqualTo("0");
        reopen(limit);
        assertThat(spool.position("a")).contains("29");
        for (int i = 0; i < left; i++) {
            Profile profile = content(oldest());
            told =
                    told.plus(
                            new Loss(
                                    profile.provenance().count(Provenance.DROPPED_PROFILES),
                                    profile.provenance().count(Provenance.DROPPED_SAMPLES)));
            spool.remove(oldest());
        }
        assertThat(told).isEqualTo(dropped);
        spool.append(Profiles.entry("a", "30"), Profiles.of(1));
        assertThat(content(oldest())).as("told once").isEqualTo(Profiles.of(1));
    }

    @Test
    void theNumberOfEntriesIsBoundedLikeTheirBytes() throws IOException {
        spool.close();
        spool = Spool.open(folder, LIMIT, 10, said::add, () -> {});
        for (int i = 0; i < 25; i++) {
            spool.append(Profiles.entry("a", "" + i), Profiles.of(1));
        }
        assertThat(spool.counts().entries()).isEqualTo(10);
        assertThat(spool.counts().dropped()).isEqualTo(new Loss(15, 15));
        assertThat(said).singleElement().asString().contains("is full");
        long told = 0;
        for (int i = 0; i < 10; i++) {
            told += content(oldest()).provenance().count(Provenance.DROPPED_PROFILES);
            spool.remove(oldest());
        }
        assertThat(told).isEqualTo(15);
        assertThat(said).hasSize(2).last().asString().contains("is empty again");
    }

    @Test
    void whatIsOnItsWayIsNotDroppedEvenIfItIsNotTheFirst() {
        spool.close();
        spool = Spool.open(folder, LIMIT, 3, said::add, () -> {});
        for (int i = 0; i < 3; i++) {
            spool.append(Profiles.entry("a", "" + i), Profiles.of(1));
        }
        spool.postpone(oldest());
        assertThat(oldest().entry().position()).isEqualTo("1");
        spool.append(Profiles.entry("a", "3"), Profiles.of(1));
        assertThat(oldest().entry().position()).isEqualTo("1");
        assertThat(spool.counts().entries()).isEqualTo(3);
        assertThat(spool.counts().dropped()).isEqualTo(new Loss(1, 1));
    }

    @Test
    void aSourceKeepsItsPositionWhenItsOnlyProfileIsDropped() {
        reopen(40_000);
        spool.append(Profiles.entry("first", "1"), Profiles.of(1));
        spool.append(Profiles.entry("quiet", "7"), Profiles.of(1));
        for (int i = 0; i < 10; i++) {
            spool.append(Profiles.entry("busy", "" + i), Profiles.large(500, i));
        }
        reopen(40_000);
        assertThat(spool.position("quiet")).contains("7");
    }

    @Test
    void aProfileLargerThanTheSpoolLeavesItsPositionAndItsLoss() throws IOException {
        reopen(10_000);
        spool.append(Profiles.entry("a", "1"), Profiles.of(5));
        spool.append(Profiles.entry("a", "2"), Profiles.large(2000, 1));
        assertThat(spool.counts().dropped()).isEqualTo(new Loss(1, 2000));
        assertThat(spool.counts().bytes()).isLessThanOrEqualTo(10_000);
        assertThat(spool.position("a")).contains("2");
        spool.remove(oldest());
        Profile left = content(oldest());
        assertThat(Profiles.samples(left)).isZero();
        assertThat(left.provenance().count(Provenance.DROPPED_PROFILES)).isEqualTo(1);
        assertThat(left.provenance().count(Provenance.DROPPED_SAMPLES)).isEqualTo(2000);
    }

    @Test
    void refusedProfilesAreKeptAsideAndTheirLossIsTold() throws IOException {
        spool.append(Profiles.entry("a", "1"), Profiles.of(5));
        spool.setAside(oldest(), "refused", "is too ugly");
        assertThat(said).singleElement().asString().contains("shop", "too ugly", "refused.heat");
        assertThat(spool.oldest()).isEmpty();
        reopen();
        assertThat(spool.position("a")).contains("1");
        assertThat(Profiles.read(Files.readAllBytes(files(".refused.heat").getFirst())))
                .isEqualTo(Profiles.of(5));
        spool.append(Profiles.entry("a", "2"), Profiles.of(1));
        reopen();
        spool.append(Profiles.entry("a", "3"), Profiles.of(1));
        assertThat(content(oldest()).provenance().count(Provenance.DROPPED_SAMPLES)).isEqualTo(5);
        spool.remove(oldest());
        assertThat(content(oldest()).provenance().count(Provenance.DROPPED_SAMPLES)).isZero();
    }

    @Test
    void samplesByCpuTimeAreCountedWhenTheyAreLost() throws IOException {
        spool.append(Profiles.entry("a", "1"), Profiles.ofCpuTime(42));
        spool.setAside(oldest(), "refused", "is refused");
        spool.append(Profiles.entry("a", "2"), Profiles.ofCpuTime(1));
        assertThat(content(oldest()).provenance().count(Provenance.DROPPED_SAMPLES)).isEqualTo(42);
    }

    @Test
    void whatIsPostponedHasItsTurnAgainAfterAllOthers() {
        append("late", "1");
        append("late", "2");
        append("other", "3");
        for (String expected : List.of("1", "2", "3")) {
            assertThat(oldest().entry().position()).isEqualTo(expected);
            spool.postpone(oldest());
        }
        assertThat(spool.postponed()).isEqualTo(3);
        assertThat(oldest().entry().position()).isEqualTo("1");
        spool.postpone(oldest());
        assertThat(oldest().entry().position()).as("another program").isEqualTo("3");
        append("other", "4");
        assertThat(oldest().entry().position()).as("what is new comes first").isEqualTo("4");
        spool.remove(oldest());
        spool.remove(oldest());
        assertThat(oldest().entry().position()).as("not the same again").isEqualTo("2");
        spool.remove(oldest());
        spool.setAside(oldest(), "refused", "is refused");
        assertThat(spool.postponed()).isZero();
    }

    private void append(String application, String position) {
        Entry entry = Profiles.entry(application, position);
        spool.append(
                new Entry(
                        entry.id(),
                        new Execution(application, "1", "a"),
                        entry.from(),
                        entry.until(),
                        application,
                        position),
                Profiles.of(1));
    }

    @Test
    void aClosedSpoolChangesNothingInAFolderThatMayBeAnothersByNow() throws IOException {
        spool.append(Profiles.entry("a", "1"), Profiles.of(1));
        spool.append(Profiles.entry("b", "1"), Profiles.of(1));
        SpoolFile file = oldest();
        Spool old = spool;
        reopen();
        List<Path> before = files("");
        for (ThrowingCallable step :
                List.<ThrowingCallable>of(
                        () -> old.begin(Profiles.entry("c", "0")),
                        () -> old.append(Profiles.entry("a", "2"), Profiles.of(1)),
                        () -> old.forget("b"),
                        () -> old.remove(file),
                        () -> old.setAside(file, "refused", "is refused"))) {
            assertThatThrownBy(step)
                    .isInstanceOf(SpoolException.class)
                    .hasMessageContaining("is closed");
            assertThat(files("")).isEqualTo(before);
        }
    }

    @Test
    void whatIsSetAsideIsBoundedToo() {
        reopen(40_000);
        for (int i = 0; i < 20; i++) {
            spool.append(Profiles.entry("a", "" + i), Profiles.large(500, i));
            spool.setAside(oldest(), "refused", "is refused");
            assertThat(spool.counts().bytes()).isLessThanOrEqualTo(40_000);
        }
        assertThat(spool.counts().setAside()).isEqualTo(20);
    }

    @Test
    void damagedFilesAreSetAsideAndTheRestGoesOn() throws IOException {
        for (int i = 0; i < 6; i++) {
            spool.append(Profiles.entry("s" + i, "p"), Profiles.of(i + 1));
        }
        List<Path> entries = files(".entry");
        cut(entries.get(0), 5);
        cut(entries.get(1), Files.size(entries.get(1)) - 1);
        Files.writeString(entries.get(2), "garbage");
        byte[] flipped = Files.readAllBytes(entries.get(3));
        flipped[flipped.length - 3] ^= 1;
        Files.write(entries.get(3), flipped);
        Files.delete(entries.get(4));
        Files.writeString(folder.resolve("0000000000000099.entry.partial"), "half");
        Files.writeString(folder.resolve("notes.txt"), "somebody's");
        Files.createDirectory(folder.resolve("0000000000000077.entry"));
        reopen();
        assertThat(oldest().entry().source()).isEqualTo("s5");
        assertThat(said).hasSize(5).allMatch(line -> !line.contains("\n"));
        assertThat(spool.counts().setAside()).isEqualTo(5);
        assertThat(spool.position("s1")).as("its head is whole").contains("p");
        assertThat(files(".damaged")).hasSize(3);
        assertThat(files(".partial")).isEmpty();
        assertThat(folder.resolve("notes.txt")).exists();
        said.clear();
        reopen();
        spool.append(Profiles.entry("s9", "p"), Profiles.of(9));
        spool.remove(oldest());
        assertThat(content(oldest()).provenance().count(Provenance.DROPPED_SAMPLES))
                .isEqualTo(2 + 4);
        assertThat(said).isEmpty();
    }

    @Test
    void anEntryDeletedUnderARunningSpoolDoesNotBlockIt() throws IOException {
        spool.append(Profiles.entry("a", "1"), Profiles.of(5));
        spool.append(Profiles.entry("a", "2"), Profiles.of(6));
        assertThat(oldest().entry().position()).isEqualTo("1");
        Files.delete(files(".entry").getFirst());
        assertThat(oldest().entry().position()).isEqualTo("2");
        spool.append(Profiles.entry("a", "3"), Profiles.of(7));
        spool.remove(oldest());
        assertThat(content(oldest()).provenance().count(Provenance.DROPPED_SAMPLES)).isEqualTo(5);
    }

    private static void cut(Path file, long bytes) throws IOException {
        byte[] content = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(content, (int) bytes));
    }

    @Test
    void onlyOneProcessMayUseAFolder() {
        assertThatThrownBy(() -> Spool.open(folder, LIMIT, said::add))
                .isInstanceOf(SpoolException.class)
                .hasMessageContaining(folder.toString())
                .hasMessageContaining("another collector");
    }

    @Test
    void aFileInTheWayIsSaid() throws IOException {
        Path file = Files.writeString(temporary.resolve("file"), "");
        assertThatThrownBy(() -> Spool.open(file, LIMIT, said::add))
                .isInstanceOf(SpoolException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining("there is a file of that name");
    }
}
