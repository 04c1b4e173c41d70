package dev.heatline.agent;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Class files of a JDK: thousands, with all kinds of code. */
public final class JdkClasses {
    private static final List<String> MODULES =
            List.of("java.base", "java.logging", "jdk.httpserver");

    private JdkClasses() {}

    /** Those with names as in class files that are wanted. */
    public static Map<String, byte[]> of(Path jvm, Predicate<String> wanted) throws IOException {
        Map<String, byte[]> chosen = new TreeMap<>();
        Map<String, String> home = Map.of("java.home", jvm.toString());
        try (FileSystem files = FileSystems.newFileSystem(URI.create("jrt:/"), home)) {
            for (String module : MODULES) {
                Path root = files.getPath("/modules", module);
                try (Stream<Path> walk = Files.walk(root)) {
                    for (Path file : walk.filter(Files::isRegularFile).toList()) {
                        String name = root.relativize(file).toString();
                        int end = name.length() - ".class".length();
                        if (name.endsWith(".class") && wanted.test(name.substring(0, end))) {
                            chosen.put(name.substring(0, end), Files.readAllBytes(file));
                        }
                    }
                }
            }
        }
        return chosen;
    }
}
