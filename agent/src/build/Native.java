import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Compiles the agent's native library where that is possible, and says so where it is not: all else
 * works without. Arguments: the library, and the folder of sources.
 */
final class Native {
    private Native() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        Path library = Path.of(args[0]);
        Files.createDirectories(library.toAbsolutePath().getParent());
        Files.deleteIfExists(library);
        if (!System.getProperty("os.name").equals("Linux")
                || !System.getProperty("os.arch").equals("amd64")) {
            System.out.println("No native library: there is one for Linux on x86_64 only.");
            return;
        }
        Path include = Path.of(System.getProperty("java.home"), "include");
        List<String> command =
                new ArrayList<>(
                        List.of(
                                "cc",
                                "-std=gnu11",
                                "-O2",
                                "-shared",
                                "-fPIC",
                                "-pthread",
                                "-fvisibility=hidden",
                                "-Wall",
                                "-Wextra",
                                "-Werror",
                                "-I" + include,
                                "-I" + include.resolve("linux"),
                                "-o",
                                library.toString()));
        try (Stream<Path> sources = Files.list(Path.of(args[1]))) {
            sources.map(Path::toString).filter(name -> name.endsWith(".c")).sorted()
                    .forEach(command::add);
        }
        int result;
        try {
            result = new ProcessBuilder(command).inheritIO().start().waitFor();
        } catch (IOException e) {
            System.out.println("No native library: there is no C compiler cc here.");
            return;
        }
        if (result != 0) {
            System.exit(result);
        }
    }
}
