package dev.heatline.store;

import static dev.heatline.store.Samples.SHOP;
import static dev.heatline.store.Samples.upload;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heatline.model.Execution;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Provenance;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

class RocksStoreTest extends StoreContract {
    @TempDir Path temporary;

    @Override
    Store open(Path where, StoreOptions options) {
        return RocksStore.open(where, options);
    }

    @Test
    void oneDirectoryIsForOneStore() {
        assertThatThrownBy(() -> open(directory, StoreOptions.DEFAULT))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining(directory.toString())
                .hasMessageContaining("in use");
    }

    @Test
    void whatHasLockInItsNameNeedNotBeInUse() throws IOException {
        Path blocked = directory.resolve("block");
        Files.createDirectories(blocked.resolve("LOCK"));

        assertThatThrownBy(() -> open(blocked, StoreOptions.DEFAULT))
                .isInstanceOf(StoreException.class)
                .hasMessageStartingWith("cannot open the store in " + blocked + ": ")
                .hasMessageContaining("directory")
                .hasMessageNotContaining("in use");
    }

    @Test
    void aStoreInUseByAnotherProcessSaysSo() throws Exception {
        store.close();
        Process other = KilledStoreTest.Victim.start(directory, temporary, "other");
        try (BufferedReader lines = other.inputReader()) {
            assertThat(lines.readLine()).isNotNull();
            assertThatThrownBy(() -> open(directory, StoreOptions.DEFAULT))
                    .hasMessage(
                            "the store in "
                                    + directory
                                    + " is in use: only one process can have it open at a time;"
                                    + " choose another with --data DIR");
        } finally {
            other.destroyForcibly().waitFor();
        }
        openStore();
    }

    @Test
    void aFileIsNoDirectory() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "x");

        assertThatThrownBy(() -> open(file, StoreOptions.DEFAULT))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining(file.toString());
    }

    @Test
    void aDamagedStoreIsNotOpened() throws IOException {
        assertThat(store.add(upload("1", SHOP, 0, Samples.of("a.B.c", 1)))).isTrue();
        store.close();
        for (Path manifest : files("MANIFEST-")) {
            Files.writeString(manifest, "nothing that makes sense");
        }

        assertThatThrownBy(() -> open(directory, StoreOptions.DEFAULT))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining(directory.toString())
                .hasMessageContaining("damaged");
        Files.delete(directory.resolve("CURRENT"));
        store = open(directory.resolve("another"), StoreOptions.DEFAULT);
    }

    @Test
    void damageIsFoundWhenItIsRead() throws IOException {
        Workload workload = new Workload(1);
        for (int i = 0; i < 20; i++) {
            assertThat(store.add(upload("u" + i, SHOP, i, workload.minute(100)))).isTrue();
        }
        store.close();
        // Opening writes what is in the log to a table.
        open(directory, StoreOptions.DEFAULT).close();
        for (Path table : files(".sst")) {
            byte[] bytes = Files.readAllBytes(table);
            for (int i = 0; i < bytes.length / 2; i++) {
                bytes[i] ^= 0x55;
            }
            Files.write(table, bytes);
        }

        assertThatThrownBy(
                        () -> {
                            store = open(directory, StoreOptions.DEFAULT);
                            Samples.collect(store, Selection.of("shop"));
                        })
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("damaged");
    }

    private List<Path> files(String part) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.getFileName().toString().contains(part)).toList();
        }
    }

    /** A profile that is damaged tells whoever reads it. */
    private void damage(Level level, long minute) throws RocksDBException {
        raw(
                database -> {
                    long shop = Application.read(database.get(Keys.application("shop"))).number();
                    byte[] record = database.get(Keys.execution(shop, SHOP));
                    long execution = ExecutionRecord.read(record).number();
                    long from = Keys.nanos(Samples.minute(minute));
                    database.put(Keys.head(shop, execution, level, from, 1 << 20), new byte[0]);
                    return true;
                });
    }

    private <T> T raw(Access<T> access) throws RocksDBException {
        store.close();
        try (Options options = new Options();
                RocksDB database = RocksDB.open(options, directory.toString())) {
            return access.of(database);
        } finally {
            openStore();
        }
    }

    private interface Access<T> {
        T of(RocksDB database) throws RocksDBException;
    }

    @Test
    void aShortRangeReadsNoProfilesThatAreTooShortToReachIt() throws RocksDBException {
        add("1", SHOP, 1, 1);
        store.maintain(Samples.minute(60 * 24 * 3));
        add("2", SHOP, 60 * 24 * 4, 10);
        damage(Level.MINUTE, 60 * 24 * 4 - 2);

        Selection last =
                Selection.of("shop")
                        .between(Samples.minute(60 * 24 * 4), Samples.minute(60 * 24 * 4 + 1));
        assertThat(samples(last)).isEqualTo(10);
        assertThatThrownBy(() -> samples(Selection.of("shop")))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("damaged");
    }

    @Test
    void onlyWhoAsksForAPartOfTheTimeReadsTheSecondsAndNoneAreLeftBehind() throws RocksDBException {
        Profile profile = Samples.bySecond(1, List.of(new Samples.Sample("a", 5)));
        assertThat(store.add(upload("1", SHOP, 1, profile))).isTrue();
        Selection shop = Selection.of("shop");
        Selection part = shop.between(Samples.minute(0), Samples.minute(1).plusSeconds(30));
        assertThat(samples(part)).isEqualTo(1);

        byte[] key = raw(database -> only(database, Keys.SECONDS));
        for (byte[] damaged :
                List.of(new byte[] {0}, new byte[] {9}, "no numbers".getBytes(UTF_8))) {
            raw(
                    database -> {
                        database.put(key, damaged);
                        return true;
                    });

            assertThat(samples(shop)).isEqualTo(1);
            assertThatThrownBy(() -> samples(part))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("damaged");
        }

        store.delete(shop);
        byte[] left = raw(database -> only(database, Keys.SECONDS));
        assertThat(left).isEmpty();
    }

    /** The key of this kind; empty if there is none. */
    private static byte[] only(RocksDB database, byte kind) {
        try (RocksIterator keys = database.newIterator()) {
            keys.seek(new byte[] {kind});
            return keys.isValid() && keys.key()[0] == kind ? keys.key() : new byte[0];
        }
    }

    @Test
    void aRoundWithNothingToDoReadsNoProfilesAndWritesNothing() throws RocksDBException {
        store.close();
        store = open(directory, OPTIONS.withDictionaries(1000, 10_000));
        add("old", SHOP, 0, 1);
        int recent = 60 * 24 * 22 - 60;
        for (int i = 0; i < 30; i++) {
            Profile profile = Samples.of("a.B.c" + i, 1);
            assertThat(store.add(upload("u" + i, SHOP, recent + i, profile))).isTrue();
        }
        store.maintain(Samples.minute(60 * 24 * 22));
        assertThat(store.executions().getFirst().first()).isEqualTo(Samples.minute(recent));
        assertThat(raw(RocksStoreTest::dictionaries)).isGreaterThan(1);
        damage(Level.MINUTE, 60 * 24 * 30);
        long before = raw(RocksDB::getLatestSequenceNumber);

        store.maintain(Samples.minute(60 * 24 * 22 + 1));

        assertThat(raw(RocksDB::getLatestSequenceNumber)).isEqualTo(before);
    }

    @Test
    void dictionariesWithoutProfilesAreDeleted() throws RocksDBException {
        store.close();
        store = open(directory, OPTIONS.withDictionaries(1000, 10_000));
        for (int i = 0; i < 60; i++) {
            Profile profile = Samples.of("a.B.c" + i, 1);
            assertThat(store.add(upload("u" + i, SHOP, i, profile))).isTrue();
        }
        long before = raw(RocksStoreTest::dictionaries);
        assertThat(before).isGreaterThan(2);

        store.maintain(Samples.minute(60 * 5));

        assertThat(raw(RocksStoreTest::dictionaries)).isBetween(1L, 2L);
        assertThat(samples(Selection.of("shop"))).isEqualTo(60);
    }

    @Test
    void aProfileLargerThanADictionaryMayBeHasOneAllTheSame() throws RocksDBException {
        store.close();
        store = open(directory, OPTIONS.withDictionaries(1000, 10_000));
        Profile large = new Workload(1).minute(1000);
        for (int i = 0; i < 10; i++) {
            assertThat(store.add(upload("large" + i, SHOP, i, large))).isTrue();
            assertThat(store.add(upload("small" + i, SHOP, i, Samples.of("a.B.c", 1)))).isTrue();
        }

        assertThat(raw(RocksStoreTest::dictionaries)).isEqualTo(1);
        assertThat(samples(Selection.of("shop"))).isEqualTo(10_010);
    }

    @Test
    void longTextsFillADictionaryToo() throws RocksDBException {
        store.close();
        store = open(directory, OPTIONS.withDictionaries(100_000, 1_000_000));
        for (int i = 0; i < 30; i++) {
            Provenance told = Provenance.NONE.withFact("told", i + "x".repeat(10_000));
            Profile profile = new ProfileBuilder().build(told);
            assertThat(store.add(upload("u" + i, SHOP, i, profile))).isTrue();
        }

        assertThat(raw(RocksStoreTest::dictionaries)).isBetween(3L, 4L);
    }

    @Test
    void usageTellsWhetherMemoryIsTooSmallForTheApplications() {
        assertThat(loadsOfFiveTurns(OPTIONS)).isEqualTo(2);
        assertThat(loadsOfFiveTurns(OPTIONS.withDictionaries(1 << 20, 1))).isEqualTo(10);
    }

    private long loadsOfFiveTurns(StoreOptions options) {
        store.close();
        store = open(directory, options);
        Execution other = new Execution("other", "1", "a");
        for (int i = 0; i < 5; i++) {
            add("shop" + i + options, SHOP, i, 1);
            add("other" + i + options, other, i, 1);
        }
        return store.usage().dictionaryLoads();
    }

    private static long dictionaries(RocksDB database) {
        Set<Long> numbers = new HashSet<>();
        try (RocksIterator keys = database.newIterator()) {
            for (keys.seekToFirst(); keys.isValid(); keys.next()) {
                if (keys.key()[0] == Keys.DICTIONARY) {
                    numbers.add(Keys.secondNumber(keys.key()));
                }
            }
        }
        return numbers.size();
    }

    @Test
    void aStoreOfAnotherLayoutIsNotOpened() throws RocksDBException {
        store.close();
        try (Options options = new Options();
                RocksDB database = RocksDB.open(options, directory.toString())) {
            database.put(Keys.VERSION, new Output().number(99).toBytes());
        }

        assertThatThrownBy(() -> open(directory, StoreOptions.DEFAULT))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("layout 99");
        store = open(directory.resolve("another"), StoreOptions.DEFAULT);
    }
}
