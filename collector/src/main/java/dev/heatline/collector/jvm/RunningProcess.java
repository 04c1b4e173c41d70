package dev.heatline.collector.jvm;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the operating system tells about a process. It may end at any moment, and others' are partly
 * hidden: what cannot be read is empty.
 */
final class RunningProcess {
    private final long pid;
    private final Path proc;

    RunningProcess(long pid) {
        this.pid = pid;
        this.proc = Path.of("/proc", String.valueOf(pid));
    }

    /** The program file. */
    Optional<Path> program() {
        try {
            return Optional.of(Files.readSymbolicLink(proc.resolve("exe")));
        } catch (IOException e) {
            return handle().flatMap(process -> process.info().command()).map(Path::of);
        }
    }

    /** Its arguments, without the program itself. */
    List<String> arguments() {
        List<String> command = strings("cmdline");
        return command.isEmpty()
                ? handle().flatMap(process -> process.info().arguments())
                        .map(List::of)
                        .orElse(List.of())
                : command.subList(1, command.size());
    }

    /** The environment it was started with; Linux only. */
    Map<String, String> environment() {
        Map<String, String> environment = new HashMap<>();
        for (String variable : strings("environ")) {
            int equals = variable.indexOf('=');
            if (equals > 0) {
                environment.put(variable.substring(0, equals), variable.substring(equals + 1));
            }
        }
        return environment;
    }

    String user() {
        return handle().flatMap(process -> process.info().user()).orElse("");
    }

    /** Whether a file belongs to the user of this process; always where that cannot be told. */
    boolean owns(Path file) {
        try {
            return uid(file).equals(uid(proc));
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            return !Files.exists(proc);
        }
    }

    private static Object uid(Path file) throws IOException {
        return Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    }

    /** Whether pids mean the same there as here; not so in most containers. */
    boolean sharesPids() {
        try {
            Path namespace = Files.readSymbolicLink(proc.resolve("ns/pid"));
            return namespace.equals(Files.readSymbolicLink(Path.of("/proc/self/ns/pid")));
        } catch (IOException e) {
            return true;
        }
    }

    private Optional<ProcessHandle> handle() {
        return ProcessHandle.of(pid);
    }

    private List<String> strings(String name) {
        try {
            String text = new String(Files.readAllBytes(proc.resolve(name)), UTF_8);
            return text.isEmpty() ? List.of() : Arrays.asList(text.split("\0", 0));
        } catch (IOException e) {
            return List.of();
        }
    }
}
