package dev.heatline.agent.locks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.ProtectionDomain;
import org.jspecify.annotations.Nullable;

/** An agent of the tests' own: writes down which classes are changed after they were loaded. */
public final class ChangeLogger {
    private ChangeLogger() {}

    /** Takes a file for the names. */
    public static void agentmain(String options, Instrumentation instrumentation) {
        Path file = Path.of(options);
        // Loads now what must not be loaded while a class is changed.
        append(file, "");
        instrumentation.addTransformer(
                new ClassFileTransformer() {
                    @Override
                    public byte @Nullable [] transform(
                            ClassLoader loader,
                            String name,
                            Class<?> redefined,
                            ProtectionDomain domain,
                            byte[] bytes) {
                        // Of what is loaded meanwhile, a JVM says that it was the one redefined.
                        if (redefined != null
                                && redefined.getName().replace('.', '/').equals(name)) {
                            append(file, redefined.getName() + "\n");
                        }
                        return null;
                    }
                },
                true);
    }

    private static void append(Path file, String text) {
        try {
            Files.writeString(file, text, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
