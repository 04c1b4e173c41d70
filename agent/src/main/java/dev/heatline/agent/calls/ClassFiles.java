package dev.heatline.agent.calls;

import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** The files that classes came from, where their loaders still know them. */
final class ClassFiles {
    private ClassFiles() {}

    /** The shape of a class; null if its file cannot be found or read. */
    static @Nullable ClassShape shape(@Nullable ClassLoader loader, String internalName) {
        String file = internalName + ".class";
        try (InputStream in =
                loader == null
                        ? ClassLoader.getSystemResourceAsStream(file)
                        : loader.getResourceAsStream(file)) {
            return in == null ? null : ClassShape.of(in.readAllBytes());
        } catch (IOException | RuntimeException e) {
            // A loader of the application's, or a file that no compiler wrote.
            return null;
        }
    }
}
