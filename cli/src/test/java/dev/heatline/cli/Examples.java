package dev.heatline.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Profiles to run commands on. */
final class Examples {

    /** The published example of the arcflow paper, with the answers known. */
    static final Path TRACE = Path.of("..", "examples", "ac_test.trace");

    private Examples() {}

    static Path collapsed(Path folder, String name, String... lines) {
        return file(folder, name, String.join("\n", lines) + "\n");
    }

    /** A web shop of two threads, 1000 samples, with names as Java has them. */
    static Path shop(Path folder) {
        return collapsed(
                folder,
                "shop.collapsed",
                "[http-1 tid=7];com.shop.Server.handle;com.shop.Order.place;com.shop.Price.sum 500",
                "[http-1 tid=7];com.shop.Server.handle;com.shop.Cart.show 200",
                "[batch-1 tid=8];com.shop.Batch.run;com.shop.Order.place;com.shop.Price.sum 300");
    }

    static Path file(Path folder, String name, String content) {
        try {
            return Files.writeString(folder.resolve(name), content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Path file(Path folder, String name, byte[] content) {
        try {
            return Files.write(folder.resolve(name), content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
