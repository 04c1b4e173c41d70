package dev.heatline.store;

import java.nio.file.Path;

class RocksStoreTimeTest extends TimeContract {

    @Override
    Store open(Path where, StoreOptions options) {
        return RocksStore.open(where, options);
    }
}
