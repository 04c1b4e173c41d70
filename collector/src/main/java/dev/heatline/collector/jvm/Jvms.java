package dev.heatline.collector.jvm;

import dev.heatline.wire.Announcement;
import dev.heatline.wire.Announcements;
import dev.heatline.wire.ProcessKey;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The JVMs of this machine, found without attaching to any: by the files that HotSpot keeps for
 * {@code jps}, by what announced itself, and on Linux by the name of the program, because many a
 * production JVM runs without such a file ({@code -XX:+PerfDisableSharedMem}).
 */
public final class Jvms {
    private static final Path TMP =
            Path.of(
                    System.getProperty("os.name").equals("Linux")
                            ? "/tmp"
                            : System.getProperty("java.io.tmpdir"));

    private Jvms() {}

    /** All that this user can see, by pid, without the one that asks: everybody's for root. */
    public static List<Jvm> list() {
        Map<Long, Announcement> announced = Announcements.here().all();
        Map<Long, Path> perfFiles = perfFiles();
        SortedSet<Long> pids = new TreeSet<>(announced.keySet());
        pids.addAll(perfFiles.keySet());
        pids.addAll(programs());
        pids.remove(ProcessHandle.current().pid());
        List<Jvm> jvms = new ArrayList<>();
        for (long pid : pids) {
            inspect(pid, announced, perfFiles).ifPresent(jvms::add);
        }
        return jvms;
    }

    /** The JVM with this pid; empty if there is no such process, it is no JVM, or is this one. */
    public static Optional<Jvm> find(long pid) {
        Map<Long, Announcement> announced = Announcements.here().all();
        Map<Long, Path> perfFiles = perfFiles();
        boolean jvm =
                announced.containsKey(pid)
                        || perfFiles.containsKey(pid)
                        || new RunningProcess(pid).isJava();
        return jvm && pid != ProcessHandle.current().pid()
                ? inspect(pid, announced, perfFiles)
                : Optional.empty();
    }

    private static Optional<Jvm> inspect(
            long pid, Map<Long, Announcement> announced, Map<Long, Path> perfFiles) {
        RunningProcess process = new RunningProcess(pid);
        Optional<Path> own = process.ownTemporary();
        return own.isPresent()
                ? new Inspection(
                                pid,
                                ProcessKey.of(pid).flatMap(Announcements.here()::of),
                                perfFile(process, own.get()))
                        .jvm()
                : new Inspection(
                                pid,
                                Optional.ofNullable(announced.get(pid)),
                                Optional.ofNullable(perfFiles.get(pid)))
                        .jvm();
    }

    /** By pid. Files of other users are there, but cannot always be read. */
    private static Map<Long, Path> perfFiles() {
        Map<Long, Path> files = new HashMap<>();
        for (Path folder : entries(TMP, "hsperfdata_*")) {
            for (Path file : entries(folder, "[1-9]*")) {
                pid(file).ifPresent(pid -> files.put(pid, file));
            }
        }
        return files;
    }

    private static List<Long> programs() {
        List<Long> pids = new ArrayList<>();
        for (Path process : entries(Path.of("/proc"), "[1-9]*")) {
            pid(process).filter(pid -> new RunningProcess(pid).isJava()).ifPresent(pids::add);
        }
        return pids;
    }

    private static Optional<Path> perfFile(RunningProcess process, Path temporary) {
        return entries(temporary, "hsperfdata_*").stream()
                .map(folder -> folder.resolve(String.valueOf(process.pidThere())))
                .filter(process::owns)
                .findFirst();
    }

    private static Optional<Long> pid(Path file) {
        String name = file.getFileName().toString();
        return name.matches("[1-9]\\d{0,9}") ? Optional.of(Long.valueOf(name)) : Optional.empty();
    }

    private static List<Path> entries(Path folder, String pattern) {
        List<Path> entries = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, pattern)) {
            found.forEach(entries::add);
        } catch (IOException e) {
            // Not there, or somebody else's.
            return List.of();
        }
        return entries;
    }
}
