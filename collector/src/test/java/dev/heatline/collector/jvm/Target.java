package dev.heatline.collector.jvm;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.heatline.model.Execution;
import dev.heatline.wire.Announcements;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/** A program on a real JVM, which a test looks at from outside. Ends with the test. */
public final class Target implements AutoCloseable {
    public static final Path JVM_25 = Path.of(System.getProperty("java.home"));
    public static final Path AGENT = Path.of("../agent/target/heatline-agent.jar").toAbsolutePath();

    private static final Path JVMS = Path.of("/usr/lib/jvm");
    private static final Optional<Path> JVM_17 = findJvm17();
    private static final Path CLASSES =
            compile(
                    "calls/Flurry",
                    "jvm/Busy",
                    "jvm/Curious",
                    "locks/Contenders",
                    "locks/Log",
                    "locks/Truth");
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long PAUSE_NANOS = 10_000_000;

    private final Process process;
    private final long pid;
    private final Path output;

    private Target(Process process, long pid, Path output) {
        this.process = process;
        this.pid = pid;
        this.output = output;
    }

    /** All JVMs to test on: the one that runs the tests, and 17 if there is one. */
    public static List<Path> jvms() {
        List<Path> jvms = new ArrayList<>(List.of(JVM_25));
        JVM_17.ifPresent(jvms::add);
        return jvms;
    }

    private static Optional<Path> findJvm17() {
        Optional<Path> found = jvms17().stream().sorted().findFirst();
        if (found.isEmpty()) {
            System.err.println("JDK 17 not found under " + JVMS + ": JVMs of 17 not tested");
        }
        return found;
    }

    private static List<Path> jvms17() {
        try (Stream<Path> homes = Files.list(JVMS)) {
            return homes.filter(Target::is17).toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    private static boolean is17(Path home) {
        try {
            return Files.isExecutable(home.resolve("bin/java"))
                    && Files.readString(home.resolve("release")).contains("JAVA_VERSION=\"17.");
        } catch (IOException e) {
            return false;
        }
    }

    private static Path compile(String... names) {
        try {
            Path folder = Files.createTempDirectory("targets");
            folder.toFile().deleteOnExit();
            // Other users run them too.
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
            List<String> arguments =
                    new ArrayList<>(List.of("--release", "17", "-d", folder.toString()));
            for (String name : names) {
                arguments.add("src/test/java/dev/heatline/collector/" + name + ".java");
            }
            if (ToolProvider.getSystemJavaCompiler()
                            .run(null, null, null, arguments.toArray(String[]::new))
                    != 0) {
                throw new IllegalStateException("the programs to be tested do not compile");
            }
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts {@link Busy}. */
    public static Target busy(Path jvm, String... options) {
        return start(command(jvm, List.of(options)));
    }

    /** What starts {@link Busy}, for whoever wants to start it. */
    public static List<String> busyCommand(Path jvm) {
        return command(jvm, List.of());
    }

    static Target start(Path jvm, List<String> options, String main, String... args) {
        List<String> command = new ArrayList<>(command(jvm, options));
        command.set(command.size() - 1, main);
        command.addAll(List.of(args));
        return start(command);
    }

    /** What starts {@link Busy}. */
    static List<String> command(Path jvm, List<String> options) {
        List<String> command = new ArrayList<>();
        command.add(jvm.resolve("bin/java").toString());
        command.addAll(options);
        command.addAll(List.of("-Xmx64m", "-cp", CLASSES.toString(), Busy.class.getName()));
        return command;
    }

    /** Starts a program that makes many short calls. */
    public static Target flurry(Path jvm) {
        return start(jvm, List.of(), "dev.heatline.collector.calls.Flurry");
    }

    /** Starts a program that contends for locks; see there for its arguments. */
    public static Target contenders(Path jvm, String... args) {
        return contenders(jvm, List.of(), args);
    }

    /** Likewise, with options for its JVM. */
    public static Target contenders(Path jvm, List<String> options, String... args) {
        return start(jvm, options, "dev.heatline.collector.locks.Contenders", args);
    }

    /** Starts {@link Busy} as another user, which may have no name. */
    static Target busyAs(int user, Path jvm) {
        List<String> command = new ArrayList<>(as(user));
        command.addAll(command(jvm, List.of()));
        return start(command);
    }

    /** What makes a command run as another user. */
    static List<String> as(int user) {
        return List.of("setpriv", "--reuid=" + user, "--regid=" + user, "--clear-groups");
    }

    /** What starts a program of the collector's side, which other users may run too. */
    static List<String> toolCommand(Class<?> main) {
        String classes =
                Stream.of(Jvms.class, Announcements.class, Execution.class, main)
                        .map(Target::place)
                        .collect(Collectors.joining(":"));
        return List.of(
                JVM_25.resolve("bin/java").toString(),
                "--add-exports",
                "jdk.attach/sun.tools.attach=ALL-UNNAMED",
                "-cp",
                classes,
                main.getName());
    }

    private static String place(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Deletes what a user without a name announced. */
    static void deleteAnnouncementsOf(int user) throws IOException {
        Path folder = Path.of("/tmp/heatline_" + user);
        if (Files.isDirectory(folder)) {
            try (Stream<Path> files = Files.list(folder)) {
                for (Path file : files.toList()) {
                    Files.deleteIfExists(file);
                }
            }
            Files.delete(folder);
        }
    }

    /** Starts {@link Busy} where {@code /tmp} is a folder of its own, as systemd can. */
    static Target busyWithOwnTmp(Path jvm, String... options) {
        return start(List.of("unshare", "-m", "sh", "-c", ownTmp(jvm, options)));
    }

    /** The same with pids of its own, as in a container. */
    static Target busyInContainer(Path jvm, String... options) {
        Target outside =
                start(
                        List.of(
                                "unshare",
                                "--kill-child=TERM",
                                "-mpf",
                                "--mount-proc",
                                "sh",
                                "-c",
                                ownTmp(jvm, options)));
        ProcessHandle inside = await("a child", () -> outside.process.children().findFirst());
        return new Target(outside.process, inside.pid(), outside.output);
    }

    private static String ownTmp(Path jvm, String... options) {
        return String.join(
                " && ",
                "mount -t tmpfs none /mnt",
                "mkdir /mnt/c /mnt/a",
                "mount --bind " + CLASSES + " /mnt/c",
                "mount --bind " + AGENT.getParent() + " /mnt/a",
                "mount -t tmpfs -o mode=1777 none /tmp",
                "mount -t tmpfs -o mode=755 none /run",
                "exec "
                        + String.join(" ", command(jvm, List.of(options)))
                                .replace(CLASSES.toString(), "/mnt/c"));
    }

    static Target start(List<String> command) {
        try {
            Path output = Files.createTempFile("target", ".txt");
            output.toFile().deleteOnExit();
            ProcessBuilder builder =
                    new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(output.toFile());
            builder.environment().put("HEATLINE_LABEL_ZONE", "eu");
            Process process = builder.start();
            return new Target(process, process.pid(), output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public long pid() {
        return pid;
    }

    /** As it is listed, once its main class runs. */
    public Jvm jvm() {
        return await(
                "is listed with its JDK",
                // Asked first: what is listed then is from after the agent.
                () ->
                        isUp()
                                ? Jvms.find(pid()).filter(jvm -> !jvm.main().isEmpty())
                                : Optional.empty());
    }

    /** As it is listed, once it has printed this. */
    public Jvm jvmThatSaid(String words) {
        return await(
                "it says " + words,
                () -> output().contains(words) ? Jvms.find(pid()) : Optional.empty());
    }

    /** Gives it a line to read. */
    public void tell(String line) {
        try {
            process.getOutputStream().write((line + "\n").getBytes(UTF_8));
            process.getOutputStream().flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The threads of the program are there only after all of the JVM's own. */
    private boolean isUp() {
        try (Stream<Path> threads = Files.list(Path.of("/proc/" + pid() + "/task"))) {
            return threads.anyMatch(
                    thread -> {
                        try {
                            return Files.readString(thread.resolve("comm")).startsWith("waiter");
                        } catch (IOException e) {
                            return false;
                        }
                    });
        } catch (IOException e) {
            return false;
        }
    }

    /** All that it printed. */
    public String output() {
        try {
            return Files.readString(output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int exit() throws InterruptedException {
        if (!process.waitFor(PATIENCE_NANOS, TimeUnit.NANOSECONDS)) {
            throw new AssertionError("the target does not end: " + output());
        }
        return process.exitValue();
    }

    /**
     * What a test waits to see.
     *
     * @param <E> what looking may fail with
     */
    public interface Look<T, E extends Exception> {
        Optional<T> look() throws E;
    }

    /** Looks again and again until there is something to see. */
    public static <T, E extends Exception> T await(String what, Look<T, E> look) throws E {
        long start = System.nanoTime();
        while (System.nanoTime() - start < PATIENCE_NANOS) {
            Optional<T> seen = look.look();
            if (seen.isPresent()) {
                return seen.get();
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        throw new AssertionError("not within a minute: " + what);
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Lets it end by itself, so that it deletes its files. */
    @Override
    public void close() {
        process.destroy();
        try {
            process.waitFor(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            process.destroyForcibly();
        }
    }
}
