import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;

/**
 * Packs the agent: the one class that the JVM calls as it is, all others under names that no class
 * loader looks for. Arguments: the jar, the native library, which need not be there, and the folders
 * and jars of classes.
 */
final class Pack {
    private static final String ENTRY = "dev.heatline.agent.Agent";

    private static final String LIBRARY = "heatline/linux-x86_64/libheatline.so";

    /** The same in every build, so that equal sources give equal jars. */
    private static final LocalDateTime TIME = LocalDateTime.of(2026, 1, 1, 0, 0);

    private Pack() {}

    public static void main(String[] args) throws IOException {
        Manifest manifest = new Manifest();
        Attributes main = manifest.getMainAttributes();
        main.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        main.putValue("Premain-Class", ENTRY);
        main.putValue("Agent-Class", ENTRY);
        main.putValue("Can-Redefine-Classes", "false");
        // For tracing locks, which is done only when a tool attaches and asks for it.
        main.putValue("Can-Retransform-Classes", "true");
        try (OutputStream file = Files.newOutputStream(Path.of(args[0]));
                JarOutputStream jar = new JarOutputStream(file)) {
            add(jar, "META-INF/MANIFEST.MF");
            manifest.write(jar);
            Path library = Path.of(args[1]);
            if (Files.exists(library)) {
                add(jar, LIBRARY);
                Files.copy(library, jar);
            }
            for (String classes : List.of(args).subList(2, args.length)) {
                if (classes.endsWith(".jar")) {
                    try (FileSystem other = FileSystems.newFileSystem(Path.of(classes))) {
                        pack(other.getPath("/"), jar);
                    }
                } else {
                    pack(Path.of(classes), jar);
                }
            }
        }
    }

    private static void pack(Path folder, JarOutputStream jar) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted().toList()) {
                String name = folder.relativize(file).toString().replace('\\', '/');
                if (name.endsWith(".class") && !name.endsWith("-info.class")) {
                    boolean entry = name.equals(ENTRY.replace('.', '/') + ".class");
                    add(jar, entry ? name : "heatline/" + name + "data");
                    Files.copy(file, jar);
                }
            }
        }
    }

    private static void add(JarOutputStream jar, String name) throws IOException {
        JarEntry entry = new JarEntry(name);
        entry.setTimeLocal(TIME);
        jar.putNextEntry(entry);
    }
}
