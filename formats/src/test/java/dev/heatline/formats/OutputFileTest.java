package dev.heatline.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputFileTest {

    @Test
    void aReplacedFileKeepsItsPermissions(@TempDir Path temp) throws IOException {
        Path file = Files.writeString(temp.resolve("out.txt"), "before");
        assumeTrue(
                Files.getFileStore(file).supportsFileAttributeView("posix"),
                "no POSIX permissions on this file system");
        for (String permissions : new String[] {"rw-------", "rw-rw-rw-", "rwxr-x---"}) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
            OutputFile.write(file, out -> out.write('x'));
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo(permissions);
        }
        assertThat(file).hasContent("x");
    }

    /** A child JVM, since only one that ends can show it. */
    @Test
    void writingWhileTheJvmEndsIsNoError(@TempDir Path temp) throws Exception {
        Path file = temp.resolve("late.txt");
        Process child =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-cp",
                                System.getProperty("java.class.path"),
                                StoppedWhileWriting.class.getName(),
                                file.toString())
                        .redirectErrorStream(true)
                        .start();
        String output = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(child.waitFor()).isZero();
        assertThat(output).doesNotContain("Shutdown in progress");
        try (Stream<Path> left = Files.list(temp)) {
            assertThat(left.filter(path -> !path.equals(file))).isEmpty();
        }
    }

    /** Ends the JVM in the middle of writing, and waits for the writer. */
    static final class StoppedWhileWriting {

        private StoppedWhileWriting() {}

        public static void main(String[] args) throws InterruptedException {
            CountDownLatch writing = new CountDownLatch(1);
            CountDownLatch ending = new CountDownLatch(1);
            Thread writer = new Thread(() -> write(Path.of(args[0]), writing, ending));
            Runtime.getRuntime()
                    .addShutdownHook(
                            new Thread(
                                    () -> {
                                        ending.countDown();
                                        joined(writer);
                                        write(Path.of(args[0]), writing, ending);
                                    }));
            writer.start();
            writing.await();
            System.exit(0);
        }

        private static void write(Path file, CountDownLatch writing, CountDownLatch ending) {
            try {
                OutputFile.write(
                        file,
                        out -> {
                            writing.countDown();
                            awaited(ending);
                            out.write('x');
                        });
            } catch (FormatException e) {
                // The file was deleted by the hook that is meant to.
            }
        }

        private static void awaited(CountDownLatch latch) {
            try {
                latch.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        private static void joined(Thread thread) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }
}
