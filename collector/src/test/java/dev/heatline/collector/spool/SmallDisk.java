package dev.heatline.collector.spool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A real, small file system. Only root can mount it; for others the test is skipped. */
public final class SmallDisk implements AutoCloseable {
    private final Path folder;

    private SmallDisk(Path folder) {
        this.folder = folder;
    }

    /** Mounts an empty one of one megabyte on a folder. */
    public static SmallDisk mount(Path folder) throws IOException {
        return mount(folder, 1);
    }

    /** Likewise, of so many megabytes. */
    public static SmallDisk mount(Path folder, int megabytes) throws IOException {
        String size = "size=" + megabytes + "m";
        assumeTrue(
                run("mount", "-t", "tmpfs", "-o", size, "tmpfs", folder.toString()),
                "only root can mount a small disk");
        return new SmallDisk(folder);
    }

    /** Fills it to the last page with a file, which can be deleted. */
    public Path fill() throws IOException {
        Path other = folder.resolve("other");
        byte[] page = new byte[4096];
        try {
            while (true) {
                Files.write(other, page, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            }
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("No space left");
        }
        return other;
    }

    /** Fills it until so many megabytes are left, with a file that can be deleted. */
    public Path leave(int megabytes) throws IOException {
        Path other = folder.resolve("other");
        byte[] piece = new byte[1 << 20];
        while (folder.toFile().getUsableSpace() >> 20 > megabytes) {
            Files.write(other, piece, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        }
        return other;
    }

    void makeReadOnly() throws IOException {
        assertThat(run("mount", "-o", "remount,ro", folder.toString())).isTrue();
    }

    void makeWritable() throws IOException {
        assertThat(run("mount", "-o", "remount,rw", folder.toString())).isTrue();
    }

    private static boolean run(String... command) throws IOException {
        return new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .onExit()
                        .join()
                        .exitValue()
                == 0;
    }

    @Override
    public void close() throws IOException {
        assertThat(run("umount", folder.toString())).isTrue();
    }
}
