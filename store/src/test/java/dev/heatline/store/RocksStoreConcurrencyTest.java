package dev.heatline.store;

import java.nio.file.Path;

class RocksStoreConcurrencyTest extends StoreConcurrencyContract {

    @Override
    Store open(Path where, StoreOptions options) {
        return RocksStore.open(where, options);
    }
}
