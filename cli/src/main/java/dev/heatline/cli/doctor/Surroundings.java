package dev.heatline.cli.doctor;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Room to work in, and programs that some of the work needs. */
final class Surroundings {
    private static final long MEGABYTE = 1L << 20;
    private static final long TIGHT_DISK = 1024 * MEGABYTE;
    private static final long FULL_DISK = 50 * MEGABYTE;
    private static final long SMALL_HEAP = 512 * MEGABYTE;

    /** Above this share of stolen time, what a machine measures is mostly its neighbours. */
    private static final double MUCH_STEAL = 0.05;

    private final Machine machine;

    Surroundings(Machine machine) {
        this.machine = machine;
    }

    List<Finding> findings() {
        List<Finding> findings = new ArrayList<>();
        findings.add(processors());
        findings.add(memory());
        findings.add(disk("disk here", Path.of("").toAbsolutePath()));
        findings.add(disk("temporary files", Path.of(System.getProperty("java.io.tmpdir"))));
        findings.add(startUp());
        findings.add(compiler());
        findings.add(browser());
        findings.add(Finding.ok("async-profiler", "not needed; the recordings it makes are read"));
        return findings;
    }

    private Finding processors() {
        String subject = "processors";
        String count = Runtime.getRuntime().availableProcessors() + " to use";
        double steal = stealShare();
        String stolen = String.format(Locale.ROOT, ", %.1f %% of their time stolen", 100 * steal);
        return steal < MUCH_STEAL
                ? Finding.ok(subject, count + stolen)
                : Finding.limited(
                        subject, count + stolen + " by other machines on the host: times vary");
    }

    /**
     * Since boot, of the first line of /proc/stat: user nice system idle iowait irq softirq steal.
     */
    private double stealShare() {
        String first = machine.text("proc/stat").orElse("").lines().findFirst().orElse("");
        String[] fields = first.trim().split("\\s+", -1);
        if (fields.length < 9) {
            return 0;
        }
        double all = 0;
        for (int field = 1; field <= 8; field++) {
            all += Double.parseDouble(fields[field]);
        }
        return all == 0 ? 0 : Double.parseDouble(fields[8]) / all;
    }

    private static Finding memory() {
        String subject = "memory";
        long heap = Runtime.getRuntime().maxMemory();
        String size = heap / MEGABYTE + " MB of heap for a command";
        return heap >= SMALL_HEAP
                ? Finding.ok(subject, size)
                : Finding.limited(
                        subject,
                        size + ": enough for small profiles",
                        "HEATLINE_JAVA_OPTS=-Xmx1g heatline ...");
    }

    private static Finding disk(String subject, Path folder) {
        try {
            long free = Files.getFileStore(folder).getUsableSpace();
            String size = folder + " has " + free / MEGABYTE + " MB free";
            if (!Files.isWritable(folder)) {
                return Finding.limited(subject, folder + " cannot be written", "cd ~");
            }
            if (free >= TIGHT_DISK) {
                return Finding.ok(subject, size);
            }
            return free < FULL_DISK
                    ? Finding.no(subject, size, "df -h " + folder)
                    : Finding.limited(subject, size + ": short recordings only", "df -h " + folder);
        } catch (IOException e) {
            return Finding.limited(subject, folder + ": " + e.getMessage());
        }
    }

    private static Finding startUp() {
        boolean cached =
                ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                        .anyMatch(argument -> argument.startsWith("-XX:AOTCache="));
        return cached
                ? Finding.ok("start-up", "commands start from a cache of loaded classes")
                : Finding.limited(
                        "start-up",
                        "commands start without a cache of loaded classes",
                        "start ./heatline once where it may write beside its jar");
    }

    private Finding compiler() {
        return machine.program("cc")
                .map(cc -> Finding.ok("C compiler", cc + ": the lock tracer can be built"))
                .orElseGet(
                        () ->
                                Finding.limited(
                                        "C compiler",
                                        "no cc on the PATH: the lock tracer cannot be built",
                                        machine.asSuperuser("apt-get install gcc libc6-dev")));
    }

    private Finding browser() {
        return machine.program("chromium")
                .map(it -> Finding.ok("chromium", it + ": the page's own tests can run"))
                .orElseGet(
                        () ->
                                Finding.limited(
                                        "chromium",
                                        "not found; only Heatline's own tests need it, reports"
                                                + " open in any browser",
                                        machine.asSuperuser("apt-get install chromium")));
    }
}
