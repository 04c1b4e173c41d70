package dev.heatline.agent;

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;

/** A program on a real JVM, to which a test attaches. Ends with the test. */
public final class Target implements AutoCloseable {
    private static final Path AGENT = Path.of("target/heatline-agent.jar").toAbsolutePath();
    private static final Path CLASSES = Path.of("target/test-classes").toAbsolutePath();
    private static final Path JVMS = Path.of("/usr/lib/jvm");
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long PAUSE_NANOS = 5_000_000;

    private final Process process;
    private final PrintStream input;
    private final Path output;
    private final Path errors;

    private final List<Path> folders = new ArrayList<>();

    private Target(Process process, Path output, Path errors) {
        this.process = process;
        this.input = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        this.output = output;
        this.errors = errors;
    }

    /** All JVMs to test on: the one that runs the tests, and 17 if there is one. */
    public static List<Path> jvms() throws IOException {
        List<Path> jvms = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"))));
        try (Stream<Path> homes = Files.list(JVMS)) {
            homes.filter(Target::is17).sorted().limit(1).forEach(jvms::add);
        }
        if (jvms.size() == 1) {
            System.err.println("JDK 17 not found under " + JVMS + ": JVMs of 17 not tested");
        }
        return jvms;
    }

    private static boolean is17(Path home) {
        try {
            return Files.isExecutable(home.resolve("bin/java"))
                    && Files.readString(home.resolve("release")).contains("JAVA_VERSION=\"17.");
        } catch (IOException e) {
            return false;
        }
    }

    /** Starts a program of the tests with options of the JVM. */
    public static Target start(Path jvm, Class<?> program, String... options) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(jvm.resolve("bin/java").toString());
        // So that the JVM itself says nothing about our coming.
        command.add("-XX:+EnableDynamicAgentLoading");
        command.addAll(List.of(options));
        command.addAll(List.of("-Xmx256m", "-cp", CLASSES.toString(), program.getName()));
        Path output = Files.createTempFile("target", ".txt");
        Path errors = Files.createTempFile("target", ".err");
        output.toFile().deleteOnExit();
        errors.toFile().deleteOnExit();
        Process process =
                new ProcessBuilder(command)
                        .redirectOutput(output.toFile())
                        .redirectError(errors.toFile())
                        .start();
        Target target = new Target(process, output, errors);
        target.awaitOutput("ready");
        return target;
    }

    /** Tells the agent something in a folder of its own; returns the answer. */
    public String tell(String options, Path place) throws IOException {
        load(AGENT, options + ",folder=" + place);
        return Files.readString(place.resolve("status")).strip();
    }

    /** A folder for what the agent writes. */
    public Path newFolder() throws IOException {
        Path place = Files.createTempDirectory("agent-test");
        folders.add(place);
        return place;
    }

    /** Bytes of address space that a file takes. */
    public long mappedBytes(Path file) throws IOException {
        long sum = 0;
        for (String line : Files.readAllLines(Path.of("/proc/" + process.pid() + "/maps"))) {
            if (line.contains(file.toString())) {
                String range = line.substring(0, line.indexOf(' '));
                int dash = range.indexOf('-');
                sum +=
                        Long.parseLong(range.substring(dash + 1), 16)
                                - Long.parseLong(range.substring(0, dash), 16);
            }
        }
        return sum;
    }

    /** What Linux tells of its threads with that name, each in a folder. */
    public List<Path> threads(String name) throws IOException {
        List<Path> found = new ArrayList<>();
        try (Stream<Path> tasks = Files.list(Path.of("/proc/" + process.pid() + "/task"))) {
            for (Path task : tasks.toList()) {
                if (threadName(task).equals(name)) {
                    found.add(task);
                }
            }
        }
        return found;
    }

    private static String threadName(Path task) throws IOException {
        try {
            return Files.readString(task.resolve("comm")).strip();
        } catch (IOException e) {
            if (Files.exists(task)) {
                throw e;
            }
            // It ended meanwhile.
            return "";
        }
    }

    /** A byte of its memory. */
    public int memory(long address) throws IOException {
        try (FileChannel file = FileChannel.open(Path.of("/proc/" + process.pid() + "/mem"))) {
            ByteBuffer one = ByteBuffer.allocate(1);
            if (file.read(one, address) != 1) {
                throw new IOException("there is no memory at " + address);
            }
            return one.get(0);
        }
    }

    /** Where a file begins in its memory. */
    public long addressOf(Path file) throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/" + process.pid() + "/maps"))) {
            if (line.endsWith(" " + file)) {
                return Long.parseLong(line.substring(0, line.indexOf('-')), 16);
            }
        }
        throw new IOException(file + " is not in its memory");
    }

    /** Loads an agent. */
    public void load(Path jar, String options) throws IOException {
        try {
            VirtualMachine vm = VirtualMachine.attach(String.valueOf(process.pid()));
            try {
                vm.loadAgent(jar.toString(), options);
            } finally {
                vm.detach();
            }
        } catch (AttachNotSupportedException
                | AgentLoadException
                | AgentInitializationException e) {
            throw new IOException("the program's errors: " + errors(), e);
        }
    }

    /** Lets it play a scene and waits for its end. */
    public void play(String scene) throws IOException {
        long before = played(scene);
        input.println(scene);
        await(scene, () -> played(scene) > before || !process.isAlive());
        if (played(scene) == before) {
            throw new AssertionError(scene + " not played: " + output() + errors());
        }
    }

    private long played(String scene) throws IOException {
        return output().lines().filter(("played " + scene)::equals).count();
    }

    /** Lets it do something without an end. */
    public void say(String line) {
        input.println(line);
    }

    public void awaitOutput(String text) throws IOException {
        await(text + " in " + output(), () -> output().contains(text) || !process.isAlive());
        if (!output().contains(text)) {
            throw new AssertionError(text + " not in " + output() + errors());
        }
    }

    public String output() throws IOException {
        return Files.readString(output);
    }

    public String errors() throws IOException {
        return Files.readString(errors);
    }

    public int exit() throws InterruptedException {
        input.close();
        if (!process.waitFor(PATIENCE_NANOS, TimeUnit.NANOSECONDS)) {
            throw new AssertionError("the target does not end");
        }
        return process.exitValue();
    }

    /** What a test waits to see. */
    public interface Look {
        boolean look() throws IOException;
    }

    /** A jar with an agent of the tests' own: one class, and maybe an anonymous one in it. */
    public static Path agent(Path folder, Class<?> type) throws IOException {
        Path jar = folder.resolve(type.getSimpleName() + ".jar");
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Agent-Class", type.getName());
        manifest.getMainAttributes().putValue("Can-Retransform-Classes", "true");
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream entries = new JarOutputStream(out, manifest)) {
            for (String suffix : List.of("", "$1")) {
                String file = type.getName().replace('.', '/') + suffix + ".class";
                try (InputStream in = type.getResourceAsStream("/" + file)) {
                    if (in != null) {
                        entries.putNextEntry(new JarEntry(file));
                        in.transferTo(entries);
                    }
                }
            }
        }
        return jar;
    }

    public static void await(String what, Look look) throws IOException {
        long start = System.nanoTime();
        while (!look.look()) {
            if (System.nanoTime() - start > PATIENCE_NANOS) {
                throw new AssertionError("not within a minute: " + what);
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            // Killed, it does not do that itself, and another JVM may get its pid.
            Files.deleteIfExists(Path.of("/tmp/.java_pid" + process.pid()));
            for (Path place : folders) {
                delete(place);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }
}
