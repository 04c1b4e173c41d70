package dev.heatline.store;

import static dev.heatline.store.Samples.SHOP;
import static dev.heatline.store.Samples.upload;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heatline.model.Execution;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

class RocksStoreTest extends StoreContract {

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

    @Test
    void whatIsTooMuchIsDeletedOldestFirstAndFairly() {
        store.close();
        long limit = 200_000;
        store = open(directory, StoreOptions.DEFAULT.withMaxBytes(limit));
        Workload workload = new Workload(1);
        Execution small = new Execution("small", "1", "a");
        for (int i = 0; i < 600; i++) {
            assertThat(store.add(upload("u" + i, SHOP, i, workload.minute(1000)))).isTrue();
            if (i % 60 == 0) {
                assertThat(store.add(upload("s" + i, small, i, Samples.of("a.B.c", 1)))).isTrue();
            }
        }

        store.maintain(Samples.minute(700));

        assertThat(store.usage().bytes()).isLessThan(2 * limit);
        List<Store.Seen> seen = store.executions();
        assertThat(seen).extracting(one -> one.execution()).contains(small);
        Store.Seen shop = seen.getFirst();
        assertThat(shop.execution()).isEqualTo(SHOP);
        assertThat(shop.profiles()).isBetween(60L, 540L);
        assertThat(shop.first()).isAfter(Samples.minute(59));
        assertThat(shop.last()).isEqualTo(Samples.minute(600));
        assertThat(seen.getLast().profiles()).isEqualTo(10);
    }
}
