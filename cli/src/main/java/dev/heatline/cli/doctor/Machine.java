package dev.heatline.cli.doctor;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Where to look. Tests look into folders of their own instead of the real machine.
 *
 * @param root the file system's root, above {@code proc}, {@code sys}, {@code usr}
 * @param environment the environment variables
 * @param superuser whether this user may do everything
 */
public record Machine(Path root, Map<String, String> environment, boolean superuser) {

    public static Machine here(Map<String, String> environment) {
        Path root = Path.of("/");
        return new Machine(root, environment, isSuperuser(root));
    }

    /** The effective user id is the second of the four in the status file. */
    private static boolean isSuperuser(Path root) {
        try (Stream<String> lines = Files.lines(root.resolve("proc/self/status"))) {
            return lines.anyMatch(line -> line.matches("Uid:\\s+\\d+\\s+0\\s.*"));
        } catch (IOException e) {
            return false;
        }
    }

    boolean isLinux() {
        return Files.exists(root.resolve("proc/version"));
    }

    /** The text of a small file such as {@code proc/sys/kernel/kptr_restrict}, if it is there. */
    Optional<String> text(String file) {
        try {
            return Optional.of(Files.readString(root.resolve(file)).strip());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    Optional<Integer> number(String file) {
        return text(file).filter(text -> text.matches("-?\\d{1,9}")).map(Integer::valueOf);
    }

    /** Where a program is, if it is on the PATH. */
    Optional<Path> program(String name) {
        String path = environment.getOrDefault("PATH", "");
        return Stream.of(path.split(File.pathSeparator, -1))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** A command as this user has to type it. */
    String asSuperuser(String command) {
        return superuser ? command : "sudo " + command;
    }
}
