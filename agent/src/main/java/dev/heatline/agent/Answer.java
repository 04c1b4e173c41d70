package dev.heatline.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** What became of an order: a file, since nothing can be thrown across processes. */
public final class Answer {
    private static final String FILE = "status";

    private Answer() {}

    /** What a tool that attached wants. */
    public interface Order {

        /** Does it; returns how the JVM is now. */
        String run() throws RefusedException, IOException;
    }

    /**
     * Does what is wanted, and says so.
     *
     * @param folder of the tool that wants it
     */
    public static void write(Path folder, Order order) throws IOException {
        String answer;
        try {
            answer = order.run();
        } catch (RefusedException e) {
            answer = "failed: " + e.getMessage();
        } catch (RuntimeException | LinkageError | OutOfMemoryError | IOException e) {
            // A bug, or a JVM that is different: the tool that attached has nowhere else to see it.
            answer = "failed: " + e;
        }
        Path draft = folder.resolve(FILE + ".new");
        Files.writeString(draft, answer.replace('\n', ' ') + "\n");
        Files.move(draft, folder.resolve(FILE), StandardCopyOption.REPLACE_EXISTING);
    }
}
