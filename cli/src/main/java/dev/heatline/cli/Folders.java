package dev.heatline.cli;

import java.nio.file.Path;

/** Where things are kept unless the user says where. */
final class Folders {

    private Folders() {}

    /** What belongs to the user and is to stay. */
    static Path data(Shell shell) {
        String shared = shell.environment().getOrDefault("XDG_DATA_HOME", "");
        Path home = Path.of(System.getProperty("user.home"), ".local", "share");
        return (shared.isEmpty() ? home : Path.of(shared)).resolve("heatline");
    }
}
