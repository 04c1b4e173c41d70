package dev.heatline.store;

import java.nio.file.Path;

class RocksStoreAgeingTest extends AgeingContract {

    @Override
    Store open(Path where, StoreOptions options) {
        return RocksStore.open(where, options);
    }
}
