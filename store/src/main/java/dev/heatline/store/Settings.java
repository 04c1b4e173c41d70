package dev.heatline.store;

import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.CompressionOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.Filter;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;

/** How RocksDB is set up; closed after the databases that were opened with it. */
final class Settings implements AutoCloseable {

    /** Neighbouring profiles resemble each other: the larger a block, the more zstd finds. */
    private static final int BLOCK_BYTES = 64 << 10;

    private static final int ZSTD_LEVEL = 6;
    private static final int OPEN_FILES = 256;
    private static final long LOG_FILE_BYTES = 1 << 20;

    final Options options;
    private final Cache blockCache;
    private final Filter filter;
    private final CompressionOptions compression;

    Settings(StoreOptions wanted) {
        blockCache = new LRUCache(wanted.blockCacheBytes());
        filter = new BloomFilter();
        compression = new CompressionOptions().setLevel(ZSTD_LEVEL);
        options =
                new Options()
                        .setCreateIfMissing(true)
                        .setCompressionType(CompressionType.ZSTD_COMPRESSION)
                        .setCompressionOptions(compression)
                        .setWriteBufferSize(wanted.writeBufferBytes() / 2)
                        .setDbWriteBufferSize(wanted.writeBufferBytes())
                        .setMaxTotalWalSize(2 * wanted.writeBufferBytes())
                        .setMaxOpenFiles(OPEN_FILES)
                        .setKeepLogFileNum(2)
                        .setMaxLogFileSize(LOG_FILE_BYTES)
                        .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
                        .setTableFormatConfig(
                                new BlockBasedTableConfig()
                                        .setBlockCache(blockCache)
                                        .setCacheIndexAndFilterBlocks(true)
                                        .setPinL0FilterAndIndexBlocksInCache(true)
                                        .setFilterPolicy(filter)
                                        .setBlockSize(BLOCK_BYTES));
    }

    @Override
    public void close() {
        options.close();
        compression.close();
        filter.close();
        blockCache.close();
    }
}
