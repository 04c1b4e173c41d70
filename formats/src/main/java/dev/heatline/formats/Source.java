package dev.heatline.formats;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The bytes of a file to be read. Files are mapped, never copied to the heap.
 *
 * @param name what messages call it
 * @param bytes its whole content
 * @param arena what closes it
 */
public record Source(String name, MemorySegment bytes, Arena arena) implements AutoCloseable {

    /**
     * Opens a file, or standard input for {@code -}.
     *
     * @throws FormatException if that cannot be done; says why
     */
    public static Source open(Path file) {
        Arena arena = Arena.ofShared();
        try {
            return file.toString().equals("-") ? standardInput(arena) : mapped(file, arena);
        } catch (IOException e) {
            arena.close();
            throw new FormatException(file + ": " + reason(e));
        } catch (FormatException e) {
            arena.close();
            throw e;
        }
    }

    /** A source over bytes in memory. */
    public static Source of(String name, byte[] content) {
        return new Source(name, MemorySegment.ofArray(content), Arena.ofShared());
    }

    private static Source mapped(Path file, Arena arena) throws IOException {
        if (Files.isDirectory(file)) {
            throw new FormatException(file + ": is a directory, not a profile");
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            MemorySegment bytes =
                    channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
            return new Source(file.toString(), bytes, arena);
        }
    }

    private static Source standardInput(Arena arena) throws IOException {
        try (InputStream in = System.in) {
            return new Source("standard input", MemorySegment.ofArray(in.readAllBytes()), arena);
        }
    }

    private static String reason(IOException e) {
        if (e instanceof NoSuchFileException) {
            return "no such file";
        }
        return e instanceof java.nio.file.AccessDeniedException
                ? "permission denied"
                : String.valueOf(e.getMessage());
    }

    @Override
    public void close() {
        arena.close();
    }
}
