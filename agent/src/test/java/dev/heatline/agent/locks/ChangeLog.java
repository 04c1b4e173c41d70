package dev.heatline.agent.locks;

import dev.heatline.agent.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Which classes of a JVM are changed after they were loaded, with and without an effect. */
final class ChangeLog {
    private final Path file;

    /** From now on; the file is in that folder. */
    ChangeLog(Traced target, Path folder) throws IOException {
        file = Files.createTempFile(folder, "changes", ".txt");
        target.program().load(Target.agent(folder, ChangeLogger.class), file.toString());
    }

    /** Names with dots, in the order of the changes. */
    List<String> names() throws IOException {
        return Files.readAllLines(file);
    }
}
