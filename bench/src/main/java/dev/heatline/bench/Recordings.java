package dev.heatline.bench;

import dev.heatline.wire.RecordingSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Makes the flight recordings to be parsed, each by a JVM of its own, once. */
final class Recordings {
    /** More than 2^35 nanoseconds. */
    private static final int BEFORE_SECONDS = 36;

    private Recordings() {}

    /**
     * Real libraries at work, with JFR's own profile settings and both samplers at a higher rate:
     * small allocation buffers make allocation samples as frequent as their throttle.
     */
    static Path ordinary(Path folder, int seconds) {
        return made(
                folder.resolve("ordinary-" + seconds + "s.jfr"),
                "settings=profile,jdk.ExecutionSample#period=1ms,"
                        + "jdk.ThreadPark#threshold=0ms,jdk.JavaMonitorEnter#threshold=0ms,"
                        + "jdk.ObjectAllocationSample#throttle=20000/s",
                List.of("-Xmx1g", "-XX:TLABSize=8k", "-XX:MinTLABSize=1k", "-XX:-ResizeTLAB"),
                List.of(Workloads.MIXED, String.valueOf(seconds)));
    }

    /** Deep, nearly unique stacks and nothing else. */
    static Path adversarial(Path folder, int events) {
        return made(
                folder.resolve("adversarial-" + events + ".jfr"),
                "settings=none,+jdk.ObjectAllocationOutsideTLAB#enabled=true,"
                        + "+jdk.ObjectAllocationOutsideTLAB#stackTrace=true",
                List.of("-Xmx1g"),
                List.of(Workloads.DEEP_STACKS, String.valueOf(events)));
    }

    /**
     * What Heatline records of a program whose stacks are deep and nearly unique, in a minute. It
     * begins when the recorder's clock has as many digits as it will have an hour later.
     */
    static Path busyMinute(Path folder) {
        StringBuilder settings =
                new StringBuilder("settings=none,flush-interval=1s,delay=")
                        .append(BEFORE_SECONDS)
                        .append('s');
        RecordingSettings.DEFAULT
                .events(true)
                .forEach(
                        (name, value) ->
                                settings.append(",+").append(name).append('=').append(value));
        return made(
                folder.resolve("busy-minute.jfr"),
                settings.toString(),
                List.of("-Xmx1g"),
                List.of(Workloads.DEEP_STACKS, BEFORE_SECONDS + 59 + "s"));
    }

    private static Path made(
            Path file, String settings, List<String> jvmOptions, List<String> program) {
        if (Files.exists(file)) {
            return file;
        }
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            List<String> command = new ArrayList<>();
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            command.add("-cp");
            command.add(Workloads.classPath(Runtime.version().feature()));
            command.add("-XX:FlightRecorderOptions:stackdepth=1024");
            command.add("-XX:StartFlightRecording:filename=" + file + "," + settings);
            command.addAll(jvmOptions);
            command.addAll(program);
            Path log = Files.createTempFile("recording", ".log");
            Process process =
                    new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(log.toFile())
                            .start();
            if (process.waitFor() != 0 || !Files.exists(file)) {
                throw new IllegalStateException(command + " failed:\n" + Files.readString(log));
            }
            Files.delete(log);
            return file;
        } catch (IOException e) {
            throw new IllegalStateException("cannot record " + file, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
