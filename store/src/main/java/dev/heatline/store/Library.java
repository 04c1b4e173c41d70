package dev.heatline.store;

import java.io.IOException;
import java.nio.file.Path;
import org.rocksdb.NativeLibraryLoader;
import org.rocksdb.RocksDB;
import org.rocksdb.util.Environment;

/** RocksDB's native library: it comes packed in a jar, and only a file can be loaded. */
final class Library {

    /** Its file in a store's directory. */
    static final String NAME = Environment.getJniLibraryFileName("rocksdb");

    private Library() {}

    /**
     * Loads it, once in a process. If it is not installed, it is unpacked into the store's own
     * directory, where the next start replaces what a kill has left; in the temporary folder every
     * kill would leave another. That remains for a directory without room for it, or one that may
     * hold no programs.
     */
    static void load(Path directory) {
        try {
            NativeLibraryLoader.getInstance().loadLibrary(directory.toString());
        } catch (IOException | RuntimeException | UnsatisfiedLinkError e) {
            // A part of it would take the room that profiles need.
            remove(directory);
        }
        // Goes to the temporary folder if there is none yet, and says what is wrong there.
        RocksDB.loadLibrary();
    }

    /** A file that is loaded is not needed any more, and one that cannot go yet goes at exit. */
    static void remove(Path directory) {
        boolean _ = directory.resolve(NAME).toFile().delete();
    }
}
