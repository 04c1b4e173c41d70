package dev.heatline.collector.jvm;

import dev.heatline.wire.Announcement;
import dev.heatline.wire.ProcessKey;
import dev.heatline.wire.SmallFile;
import java.io.IOException;
import java.io.StringReader;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/** One look at one JVM from outside. */
final class Inspection {
    private static final int OLDEST = 17;
    private static final String NO_ATTACH = "+DisableAttachMechanism";
    private static final String NO_RECORDER = "-FlightRecorder";

    /** Variables whose options the JVM takes as well. */
    private static final List<String> OPTION_VARIABLES =
            List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");

    /** What the name of a file of options stands behind. */
    private static final List<String> OPTION_FILES =
            List.of("@", "-XX:VMOptionsFile=", "-XX:Flags=");

    private static final int MAX_OPTIONS = 1 << 20;
    private static final int MAX_RELEASE = 64 << 10;

    private final long pid;
    private final Optional<Announcement> announcement;
    private final RunningProcess process;
    private final Map<String, String> perf;
    private final Map<String, String> environment;
    private final JavaCommand command;

    Inspection(long pid, Optional<Announcement> announcement, Optional<Path> perfFile) {
        this.pid = pid;
        this.announcement = announcement;
        this.process = new RunningProcess(pid);
        this.perf = perfFile.filter(process::owns).map(Inspection::read).orElse(Map.of());
        this.environment = process.environment();
        this.command = JavaCommand.of(process.arguments());
    }

    private static Map<String, String> read(Path perfFile) {
        try {
            return PerfData.texts(perfFile);
        } catch (IOException e) {
            // Gone meanwhile, somebody else's, or none of a JVM's.
            return Map.of();
        }
    }

    /** Empty if it has ended. */
    Optional<Jvm> jvm() {
        String jdk = perf.getOrDefault("java.property.java.version", "");
        Properties release = release();
        if (jdk.isEmpty()) {
            jdk = release.getProperty("JAVA_VERSION", "").replace("\"", "");
        }
        String main = main();
        Identity identity =
                Identity.of(
                        announcement.map(Announcement::options).orElse(Map.of()),
                        command.properties(),
                        environment,
                        main,
                        host() + ":" + pid);
        Optional<String> obstacle = obstacle(jdk, release);
        String version = jdk;
        return ProcessKey.of(pid)
                .map(
                        key ->
                                new Jvm(
                                        key,
                                        main,
                                        version,
                                        process.user(),
                                        identity.execution(),
                                        identity.changes(),
                                        obstacle,
                                        announcement));
    }

    private String main() {
        String started = perf.getOrDefault("sun.rt.javaCommand", "").split(" ", 2)[0];
        return started.isEmpty() ? command.main() : started;
    }

    /** What the JDK says about itself in the file of that name. */
    private Properties release() {
        Properties release = new Properties();
        Optional<Path> home =
                Optional.ofNullable(perf.get("java.property.java.home"))
                        .map(Path::of)
                        .or(() -> process.program().map(program -> program.resolve("../..")));
        if (home.isPresent()) {
            Path file = process.here(home.get().normalize().resolve("release"));
            try {
                release.load(new StringReader(SmallFile.text(file, MAX_RELEASE)));
            } catch (IOException | IllegalArgumentException e) {
                // Not a JDK's folder, or one that is hidden from us: nothing is known then.
                return release;
            }
        }
        return release;
    }

    private Optional<String> obstacle(String jdk, Properties release) {
        int feature = Jvm.feature(jdk);
        String modules = release.getProperty("MODULES", "");
        if (!process.isWithinReach()) {
            return Optional.of(
                    "belongs to " + process.user() + "; run Heatline as that user or as root");
        }
        if (!process.isReachable()) {
            return Optional.of(
                    "runs in a container that hides it; run the collector in there, or as root"
                            + " outside");
        }
        if (feature != 0 && feature < OLDEST) {
            return Optional.of("runs Java " + feature + "; 17 or newer is needed");
        }
        if (!modules.isEmpty() && !modules.replace("\"", " ").contains(" jdk.jfr ")) {
            return Optional.of("its Java runtime has no module jdk.jfr; use one that has it");
        }
        List<String> options = options();
        if (isSet(NO_RECORDER, options)) {
            return Optional.of("its flight recorder is switched off (-XX:" + NO_RECORDER + ")");
        }
        return refusesAttach(options)
                ? Optional.of(
                        "refuses attach (-XX:"
                                + NO_ATTACH
                                + "); start it with -javaagent:heatline-agent.jar")
                : Optional.empty();
    }

    /**
     * To be known beforehand: such a JVM answers an attempt with a thread dump on its console. The
     * performance counters know it; without them, what it was started with is searched.
     */
    private boolean refusesAttach(List<String> options) {
        String capabilities = perf.getOrDefault("sun.rt.jvmCapabilities", "");
        return capabilities.isEmpty() ? isSet(NO_ATTACH, options) : capabilities.startsWith("0");
    }

    /** What it was started with. */
    private List<String> options() {
        List<String> options = new ArrayList<>(command.options());
        for (String variable : OPTION_VARIABLES) {
            options.addAll(List.of(environment.getOrDefault(variable, "").split("\\s+", -1)));
        }
        return options;
    }

    private boolean isSet(String flag, List<String> options) {
        String asOption = "-XX:" + flag;
        return options.stream()
                .anyMatch(option -> option.contains(asOption) || isInFile(flag, option));
    }

    /** Options may stand in files, which are relative to where the JVM was started. */
    private boolean isInFile(String flag, String option) {
        Optional<String> name =
                OPTION_FILES.stream()
                        .filter(option::startsWith)
                        .findFirst()
                        .map(start -> option.substring(start.length()));
        Optional<Path> file =
                name.flatMap(it -> process.folder().map(folder -> folder.resolve(it).normalize()));
        try {
            return file.isPresent()
                    && SmallFile.text(process.here(file.get()), MAX_OPTIONS).contains(flag);
        } catch (IOException e) {
            // Gone, or hidden from us: nothing is known then.
            return false;
        }
    }

    /** Asked of the kernel where possible: a name service may keep one waiting. */
    private static String host() {
        try {
            return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
        } catch (IOException notLinux) {
            try {
                return InetAddress.getLocalHost().getHostName();
            } catch (UnknownHostException e) {
                return "localhost";
            }
        }
    }
}
