package dev.heatline.collector.proc;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How often and how long a process was held up because the CPU limit of its control group, or of
 * one above it, was used up. That is not steal: the hypervisor has nothing to do with it, and the
 * limit can be raised.
 */
public final class Throttling {
    private static final String FILE = "cpu.stat";

    private final List<Path> files;
    private List<Amount> last;

    /**
     * What happened.
     *
     * @param times in how many periods, mostly of 100 ms, the limit was used up
     * @param nanos for how long CPUs had to leave it alone, all of them added up
     */
    public record Amount(long times, long nanos) {
        public static final Amount NONE = new Amount(0, 0);

        Amount since(Amount earlier) {
            return new Amount(
                    Math.max(0, times - earlier.times), Math.max(0, nanos - earlier.nanos));
        }
    }

    private Throttling(List<Path> files) {
        this.files = files;
        this.last = read();
    }

    /** Begins to count for a process, in the control group it is in now. */
    public static Throttling of(Proc proc, long pid) {
        Optional<String> groups = Proc.text(proc.root().resolve("proc/" + pid + "/cgroup"));
        Optional<String> mounts = Proc.text(proc.root().resolve("proc/self/mountinfo"));
        List<Path> files = new ArrayList<>();
        if (groups.isPresent() && mounts.isPresent()) {
            Optional<Membership> membership = Membership.of(groups.get());
            membership
                    .flatMap(it -> it.mounted(mounts.get()))
                    .ifPresent(
                            it -> {
                                Path top = proc.root().resolve(it.top().substring(1));
                                Path group = top.resolve(it.below()).normalize();
                                while (group != null && group.startsWith(top)) {
                                    files.add(group.resolve(FILE));
                                    group = group.getParent();
                                }
                            });
        }
        files.removeIf(file -> !Files.isReadable(file));
        return new Throttling(files);
    }

    /**
     * What happened since the last call: that of the group which was held up longest, because one
     * inside another is held up with it.
     */
    public Amount sinceLast() {
        List<Amount> before = last;
        last = read();
        Amount most = Amount.NONE;
        for (int i = 0; i < last.size(); i++) {
            Amount amount = last.get(i).since(before.get(i));
            if (amount.nanos > most.nanos) {
                most = amount;
            }
        }
        return most;
    }

    private List<Amount> read() {
        return files.stream().map(file -> parse(Proc.text(file).orElse(""))).toList();
    }

    /** Version 2 of control groups counts microseconds, version 1 nanoseconds. */
    static Amount parse(String text) {
        long times = 0;
        long nanos = 0;
        for (String line : text.lines().toList()) {
            int blank = line.indexOf(' ');
            String number = line.substring(blank + 1);
            if (blank > 0 && number.matches("\\d{1,18}")) {
                switch (line.substring(0, blank)) {
                    case "nr_throttled" -> times = Long.parseLong(number);
                    case "throttled_usec" -> nanos = Long.parseLong(number) * 1_000;
                    case "throttled_time" -> nanos = Long.parseLong(number);
                    default -> {}
                }
            }
        }
        return new Amount(times, nanos);
    }

    /**
     * The control group that limits the CPUs of a process.
     *
     * @param version1 whether there is a hierarchy for CPUs alone
     * @param path below the top of the hierarchy
     */
    private record Membership(boolean version1, String path) {

        /** From lines such as {@code 1:cpu,cpuacct:/shop} or {@code 0::/shop}. */
        static Optional<Membership> of(String groups) {
            Optional<Membership> found = Optional.empty();
            for (String line : groups.lines().toList()) {
                String[] fields = line.split(":", 3);
                if (fields.length == 3 && List.of(fields[1].split(",", -1)).contains("cpu")) {
                    return Optional.of(new Membership(true, fields[2]));
                }
                if (fields.length == 3 && fields[0].equals("0")) {
                    found = Optional.of(new Membership(false, fields[2]));
                }
            }
            return found;
        }

        /** Where its hierarchy, or the part that we see of it, is mounted. */
        Optional<Mounted> mounted(String mounts) {
            for (String line : mounts.lines().toList()) {
                int dash = line.indexOf(" - ");
                String[] left = line.substring(0, Math.max(0, dash)).split(" ", -1);
                String[] right = line.substring(dash + 3).split(" ", -1);
                if (dash > 0 && left.length > 4 && right.length > 2 && isMine(right)) {
                    String seen = left[3].equals("/") ? "" : left[3];
                    // One outside of what we see, as in another container, has no name here.
                    if ((path + "/").startsWith(seen + "/") && !path.contains("/..")) {
                        String below = path.substring(seen.length()).replaceFirst("^/+", "");
                        return Optional.of(new Mounted(left[4].replace("\\040", " "), below));
                    }
                }
            }
            return Optional.empty();
        }

        private boolean isMine(String[] mount) {
            return version1
                    ? mount[0].equals("cgroup") && List.of(mount[2].split(",", -1)).contains("cpu")
                    : mount[0].equals("cgroup2");
        }
    }

    /**
     * A control group as a folder.
     *
     * @param top where the hierarchy begins
     * @param below the group in it
     */
    private record Mounted(String top, String below) {}
}
