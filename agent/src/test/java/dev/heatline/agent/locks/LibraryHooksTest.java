package dev.heatline.agent.locks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.agent.Target;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.eclipse.jdt.core.compiler.batch.BatchCompiler;
import org.h2.Driver;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Hooks in every class of large libraries: one that is wrong when it is loaded would fail in the
 * application.
 */
class LibraryHooksTest {
    private static final String SUFFIX = ".class";
    private static final String VERIFIED = "verified ";

    @TempDir private Path temp;

    /**
     * Compiled by javac, and the compiler that compiled itself; and how many methods there are at
     * least.
     */
    static List<Arguments> libraries() throws IOException {
        List<Arguments> libraries = new ArrayList<>();
        for (Path jvm : Target.jvms()) {
            libraries.add(Arguments.of(jvm, Driver.class, 1000));
            libraries.add(Arguments.of(jvm, BatchCompiler.class, 300));
        }
        return libraries;
    }

    @ParameterizedTest
    @MethodSource("libraries")
    void theJvmFindsThemAllValid(Path jvm, Class<?> inside, int least) throws Exception {
        Path names = temp.resolve("names");
        Files.write(names, hook(jar(inside)));
        Process verifier =
                new ProcessBuilder(
                                jvm.resolve("bin/java").toString(),
                                "-cp",
                                Path.of("target/test-classes").toAbsolutePath().toString(),
                                LoadsAll.class.getName(),
                                temp.toString(),
                                names.toString())
                        .redirectErrorStream(true)
                        .start();
        String said = new String(verifier.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(said).doesNotContain("wrong").contains(VERIFIED);
        int methods = said.indexOf(VERIFIED) + VERIFIED.length();
        assertThat(Integer.parseInt(said.substring(methods).strip())).isGreaterThan(least);
    }

    private static Path jar(Class<?> inside) throws URISyntaxException {
        return Path.of(inside.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    /** Writes all classes, with hooks if they get any; returns the names of those. */
    private List<String> hook(Path library) throws IOException {
        List<String> names = new ArrayList<>();
        try (JarFile jar = new JarFile(library.toFile())) {
            for (Enumeration<JarEntry> all = jar.entries(); all.hasMoreElements(); ) {
                JarEntry entry = all.nextElement();
                String file = entry.getName();
                if (file.endsWith(SUFFIX) && !file.startsWith("META-INF")) {
                    byte[] bytes = read(jar, entry);
                    byte[] hooked = MonitorHooks.insert(bytes, () -> {});
                    Path place = temp.resolve(file);
                    Files.createDirectories(place.getParent());
                    Files.write(place, hooked == null ? bytes : hooked);
                    if (hooked != null) {
                        String name = file.substring(0, file.length() - SUFFIX.length());
                        names.add(name.replace('/', '.'));
                    }
                }
            }
        }
        return names;
    }

    private static byte[] read(JarFile jar, JarEntry entry) throws IOException {
        try (InputStream in = jar.getInputStream(entry)) {
            return in.readAllBytes();
        }
    }
}
