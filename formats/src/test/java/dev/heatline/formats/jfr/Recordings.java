package dev.heatline.formats.jfr;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/** Real recordings of the workloads on real JVMs, each made once and shared by all tests. */
final class Recordings {
    private static final Path JVMS = Path.of("/usr/lib/jvm");

    static final Path JVM_25 = Path.of(System.getProperty("java.home"));
    static final Optional<Path> JVM_17 = findJvm17();

    private static final String PACKAGE = "dev.heatline.formats.jfr.";
    private static final String[] EVENTS = {
        "jdk.ActiveSetting",
        "jdk.JVMInformation",
        "jdk.ObjectAllocationSample",
        "jdk.ObjectAllocationInNewTLAB",
        "jdk.ObjectAllocationOutsideTLAB",
        "jdk.JavaMonitorEnter",
        "jdk.JavaMonitorWait",
        "jdk.ThreadPark",
        "jdk.ThreadSleep",
        "jdk.ThreadStart",
        "jdk.FileRead",
        "jdk.FileWrite",
        "jdk.SocketRead",
        "jdk.SocketWrite",
        "jdk.JavaExceptionThrow",
        "jdk.JavaErrorThrow",
        "jdk.DataLoss",
        "jdk.GCHeapSummary"
    };

    private static final Path FOLDER = newFolder();
    private static final Map<String, Path> MADE = new ConcurrentHashMap<>();

    private Recordings() {}

    private static Path newFolder() {
        try {
            Path folder = Files.createTempDirectory("recordings");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(folder)));
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(java.util.Comparator.reverseOrder()).forEach(f -> f.toFile().delete());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Optional<Path> findJvm17() {
        Optional<Path> found = findJvm("17.");
        if (found.isEmpty()) {
            System.err.println("JDK 17 not found under " + JVMS + ": recordings of 17 not tested");
        }
        return found;
    }

    private static Optional<Path> findJvm(String version) {
        try (Stream<Path> homes = Files.list(JVMS)) {
            return homes.filter(home -> isJvm(home, version)).sorted().findFirst();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static boolean isJvm(Path home, String version) {
        Path release = home.resolve("release");
        try {
            return Files.isExecutable(home.resolve("bin/java"))
                    && Files.exists(release)
                    && Files.readString(release).contains("JAVA_VERSION=\"" + version);
        } catch (IOException e) {
            return false;
        }
    }

    /** All JVMs to record on: the one that runs the tests, and 17 if there is one. */
    static List<Path> jvms() {
        List<Path> jvms = new ArrayList<>(List.of(JVM_25));
        JVM_17.ifPresent(jvms::add);
        return jvms;
    }

    /** Every recording of the JDK's and of async-profiler's. */
    static List<Path> all() {
        List<Path> all = new ArrayList<>();
        jvms().forEach(jvm -> all.add(ofWorkload(jvm)));
        all.add(ofCpuTime());
        all.add(ofVirtualThreads());
        if (asyncProfilerWorks()) {
            all.add(ofAsyncProfiler());
        }
        return all;
    }

    /** The workload with all kinds of events. */
    static Path ofWorkload(Path jvm) {
        return make(
                "workload" + Runtime.Version.parse(version(jvm)).feature() + ".jfr",
                file -> {
                    StringBuilder options = new StringBuilder("settings=none,filename=" + file);
                    for (String event : EVENTS) {
                        options.append(",+").append(event).append("#enabled=true");
                        options.append(",+").append(event).append("#threshold=0ms");
                        options.append(",+").append(event).append("#throttle=off");
                        options.append(",+").append(event).append("#stackTrace=true");
                    }
                    options.append(",+jdk.ExecutionSample#enabled=true");
                    options.append(",+jdk.ExecutionSample#period=10ms");
                    options.append(",+jdk.NativeMethodSample#enabled=true");
                    options.append(",+jdk.NativeMethodSample#period=20ms");
                    run(jvm, List.of("-XX:StartFlightRecording=" + options), 1200);
                });
    }

    /** The workload as sampled by CPU time, which JDK 25 does on Linux. */
    static Path ofCpuTime() {
        return make(
                "cputime.jfr",
                file ->
                        run(
                                JVM_25,
                                List.of(
                                        "-XX:StartFlightRecording=settings=none,filename="
                                                + file
                                                + ",+jdk.CPUTimeSample#enabled=true"
                                                + ",+jdk.CPUTimeSample#throttle=10ms"
                                                + ",+jdk.CPUTimeSamplesLost#enabled=true"),
                                400));
    }

    static Path ofVirtualThreads() {
        return make(
                "virtual.jfr",
                file ->
                        await(
                                start(
                                        JVM_25,
                                        List.of(
                                                "-XX:StartFlightRecording=settings=none,filename="
                                                        + file
                                                        + ",+jdk.ThreadSleep#enabled=true"
                                                        + ",+jdk.ThreadSleep#stackTrace=true"
                                                        + ",+jdk.ThreadSleep#threshold=0ms"),
                                        classes("VirtualWorkload", 25),
                                        "VirtualWorkload")));
    }

    static boolean asyncProfilerWorks() {
        return System.getProperty("os.name").equals("Linux")
                && System.getProperty("os.arch").equals("amd64");
    }

    static Path ofAsyncProfiler() {
        return make(
                "async.jfr",
                file ->
                        run(
                                JVM_25,
                                List.of(
                                        "-agentpath:"
                                                + asyncProfiler()
                                                + "=start,event=itimer,interval=5ms,wall=20ms"
                                                + ",alloc=64k,lock=1,jfr,file="
                                                + file),
                                600));
    }

    private static Path asyncProfiler() {
        return make(
                "libasyncProfiler.so",
                file -> {
                    try (InputStream in =
                            Recordings.class.getResourceAsStream(
                                    "/linux-x64/libasyncProfiler.so")) {
                        if (in == null) {
                            throw new IOException(
                                    "async-profiler's library is not on the class path:"
                                            + " /linux-x64/libasyncProfiler.so");
                        }
                        Files.copy(in, file);
                    }
                });
    }

    /** Starts the workload, which then burns on until it is killed. */
    static Process startLingering(Path jvm, String recordingOptions, Path repository)
            throws IOException {
        return start(
                jvm,
                List.of(
                        "-XX:FlightRecorderOptions=repository=" + repository,
                        "-XX:StartFlightRecording=" + recordingOptions),
                classes("Workload", 17),
                "Workload",
                FOLDER.resolve("scratch-lingering").toString(),
                "100",
                "linger");
    }

    /** Starts the workload, which burns for a while and then ends. */
    static Process startBurning(Path jvm, String recordingOptions, Path repository, int burnMillis)
            throws IOException {
        return start(
                jvm,
                List.of(
                        "-XX:FlightRecorderOptions=repository=" + repository,
                        "-XX:StartFlightRecording=" + recordingOptions),
                classes("Workload", 17),
                "Workload",
                FOLDER.resolve("scratch-burning").toString(),
                String.valueOf(burnMillis));
    }

    /** Starts the program that allocates before it records itself, and writes a file. */
    static Process startAllocating(Path jvm, Path file, Path repository) throws IOException {
        return start(
                jvm,
                List.of("-XX:FlightRecorderOptions=repository=" + repository),
                classes("AllocatingWorkload", 17),
                "AllocatingWorkload",
                file.toString(),
                "150/s");
    }

    private static void run(Path jvm, List<String> options, int burnMillis) throws IOException {
        await(
                start(
                        jvm,
                        options,
                        classes("Workload", 17),
                        "Workload",
                        FOLDER.resolve("scratch").toString(),
                        String.valueOf(burnMillis)));
    }

    private static Process start(
            Path jvm, List<String> options, Path classes, String main, String... args)
            throws IOException {
        List<String> command = new ArrayList<>();
        command.add(jvm.resolve("bin/java").toString());
        command.addAll(options);
        command.addAll(List.of("-Xmx256m", "-cp", classes.toString(), PACKAGE + main));
        command.addAll(List.of(args));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(FOLDER.resolve("output.txt").toFile())
                .start();
    }

    private static void await(Process process) throws IOException {
        try {
            if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
                process.destroyForcibly();
                throw new IOException(
                        "the target failed: " + Files.readString(FOLDER.resolve("output.txt")));
            }
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    /** Compiles a workload for a release of Java. */
    private static Path classes(String name, int release) {
        return make(
                name + ".classes",
                folder -> {
                    int result =
                            ToolProvider.getSystemJavaCompiler()
                                    .run(
                                            null,
                                            null,
                                            null,
                                            "--release",
                                            String.valueOf(release),
                                            "-d",
                                            folder.toString(),
                                            "src/test/java/dev/heatline/formats/jfr/"
                                                    + name
                                                    + ".java");
                    if (result != 0) {
                        throw new IOException(name + " does not compile");
                    }
                });
    }

    private static String version(Path jvm) {
        return jvm.equals(JVM_25) ? "25" : "17";
    }

    private interface Maker {
        void make(Path file) throws IOException;
    }

    private static synchronized Path make(String name, Maker maker) {
        Path file = MADE.get(name);
        if (file == null) {
            file = FOLDER.resolve(name);
            try {
                maker.make(file);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            MADE.put(name, file);
        }
        return file;
    }
}
