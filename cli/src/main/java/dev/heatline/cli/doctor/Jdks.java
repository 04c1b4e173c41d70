package dev.heatline.cli.doctor;

import dev.heatline.collector.jvm.Jvm;
import dev.heatline.collector.jvm.Jvms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;

/** The JDKs of this machine, and what the one that runs Heatline can record. */
final class Jdks {
    private static final int OLDEST_TARGET = 17;

    /** The first to have {@code jdk.CPUTimeSample}. */
    private static final int CPU_TIME = 25;

    private static final Pattern VERSION = Pattern.compile("JAVA_VERSION=\"?(\\d+)[^\"]*\"?");

    private final Machine machine;

    Jdks(Machine machine) {
        this.machine = machine;
    }

    List<Finding> findings() {
        SortedMap<Integer, Path> installed = installed();
        List<Finding> findings = new ArrayList<>();
        findings.add(
                Finding.ok(
                        "Heatline's Java",
                        Runtime.version() + " in " + System.getProperty("java.home")));
        findings.add(jdks(installed));
        findings.add(running());
        findings.add(recorder());
        findings.add(cpuTime());
        return findings;
    }

    /** One of each version. The release file says which without starting a JVM. */
    private SortedMap<Integer, Path> installed() {
        TreeMap<Integer, Path> found = new TreeMap<>();
        for (Path home : candidates()) {
            version(home).ifPresent(version -> found.putIfAbsent(version, home));
        }
        return found;
    }

    private List<Path> candidates() {
        List<Path> homes = new ArrayList<>();
        for (String variable : List.of("HEATLINE_JAVA_HOME", "JAVA_HOME")) {
            Optional.ofNullable(machine.environment().get(variable))
                    .ifPresent(home -> homes.add(Path.of(home)));
        }
        for (String folder : List.of("usr/lib/jvm", "opt", "Library/Java/JavaVirtualMachines")) {
            homes.addAll(inside(machine.root().resolve(folder)));
        }
        String home = machine.environment().getOrDefault("HOME", "");
        String sdkman = machine.environment().getOrDefault("SDKMAN_DIR", home + "/.sdkman");
        homes.addAll(inside(Path.of(sdkman, "candidates", "java")));
        return homes;
    }

    private static List<Path> inside(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted(Comparator.reverseOrder()).toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    private static Optional<Integer> version(Path home) {
        try (Stream<String> lines = Files.lines(home.resolve("release"))) {
            return lines.map(VERSION::matcher)
                    .filter(Matcher::matches)
                    .map(line -> Integer.valueOf(line.group(1)))
                    .findFirst();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private Finding jdks(SortedMap<Integer, Path> installed) {
        String subject = "JDKs found";
        String list =
                installed.reversed().entrySet().stream()
                        .map(jdk -> jdk.getKey() + " (" + jdk.getValue() + ")")
                        .collect(Collectors.joining(", "));
        if (installed.isEmpty()) {
            return Finding.limited(
                    subject,
                    "none in the usual places; JVMs that run can be profiled all the same");
        }
        return installed.lastKey() >= OLDEST_TARGET
                ? Finding.ok(subject, list)
                : Finding.limited(
                        subject,
                        list + "; programs are profiled on 17 or newer",
                        machine.asSuperuser("apt-get install openjdk-17-jdk"));
    }

    /** The same as {@code heatline list} says. */
    private static Finding running() {
        String subject = "attach";
        List<Jvm> all = Jvms.list();
        List<Jvm> others = all.stream().filter(jvm -> jvm.obstacle().isPresent()).toList();
        String count =
                (all.size() - others.size())
                        + " of "
                        + all.size()
                        + " JVMs here can be attached to";
        if (others.isEmpty()) {
            return Finding.ok(subject, count);
        }
        Jvm first = others.getFirst();
        return Finding.limited(
                subject,
                count + "; " + first + " " + first.obstacle().orElseThrow(),
                "heatline list");
    }

    private Finding recorder() {
        return hasRecorder()
                ? Finding.ok("JFR", "recordings can be made and read")
                : Finding.limited(
                        "JFR",
                        "this Java has no recorder; recordings of other JVMs can be read",
                        "HEATLINE_JAVA_HOME=/path/to/jdk-25 heatline ...");
    }

    private static boolean hasRecorder() {
        return ModuleLayer.boot().findModule("jdk.jfr").isPresent() && FlightRecorder.isAvailable();
    }

    private static Finding cpuTime() {
        String subject = "CPU-time samples";
        boolean there =
                hasRecorder()
                        && FlightRecorder.getFlightRecorder().getEventTypes().stream()
                                .map(EventType::getName)
                                .anyMatch("jdk.CPUTimeSample"::equals);
        return there
                ? Finding.ok(subject, "JFR of JDK " + CPU_TIME + " and newer has them on Linux")
                : Finding.limited(
                        subject,
                        "jdk.CPUTimeSample needs JDK "
                                + CPU_TIME
                                + " on Linux; ExecutionSample is used instead");
    }
}
