package dev.heatline.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/**
 * Files that other users wrote. Whoever reads them as root must neither wait for ever at a pipe,
 * nor follow a link to a device without an end, nor take more into memory than such a file has.
 */
public final class SmallFile {
    private SmallFile() {}

    /**
     * All of a regular file.
     *
     * @throws IOException if it is something else, is longer, or cannot be read
     */
    public static byte[] bytes(Path file, int atMost) throws IOException {
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException(file + " is not a regular file");
        }
        try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            byte[] bytes = in.readNBytes(atMost + 1);
            if (bytes.length > atMost) {
                throw new IOException(file + " is longer than " + atMost + " bytes");
            }
            return bytes;
        }
    }

    /** The same as text. */
    public static String text(Path file, int atMost) throws IOException {
        return new String(bytes(file, atMost), UTF_8);
    }
}
