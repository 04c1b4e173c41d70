package dev.heatline.store;

import java.nio.file.Path;

class RocksStorePropertiesTest extends StoreProperties {

    @Override
    Store open(Path where, StoreOptions options) {
        return RocksStore.open(where, options);
    }
}
