package dev.heatline.store;

import java.nio.file.Path;

class RocksStoreSizeTest extends SizeContract {

    @Override
    Store open(Path where, StoreOptions options) {
        return RocksStore.open(where, options);
    }
}
