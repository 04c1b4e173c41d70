package dev.heatline.collector.proc;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/**
 * Reads {@code /proc}. Anything may end between two looks at it, and other systems have none: what
 * cannot be read is empty.
 */
public final class Proc {
    /** That of this machine. */
    public static final Proc HERE = new Proc(Path.of("/"));

    /** More than any of the files has that are read again and again, or what is wanted of them. */
    private static final int ENOUGH = 1 << 10;

    private static final int MAX_CONFIGURATION = 4 << 20;
    private static final long[] NONE = {};
    private static final Predicate<String> NUMBER =
            Pattern.compile("[1-9]\\d{0,9}").asMatchPredicate();

    private final Path root;
    private final String proc;

    /** Tests look into a folder of their own. */
    public Proc(Path root) {
        this.root = root;
        this.proc = root.resolve("proc") + "/";
    }

    Path root() {
        return root;
    }

    /** Whether there is such a thing. */
    public boolean exists() {
        return system().isPresent();
    }

    public Optional<SystemTimes> system() {
        return start("stat").flatMap(SystemTimes::parse);
    }

    /** How long the machine runs, in hundredths of a second. */
    public OptionalLong uptimeTicks() {
        Optional<String> text = start("uptime");
        try {
            return text.isPresent()
                    ? OptionalLong.of(
                            new BigDecimal(text.get().split(" ", 2)[0])
                                    .movePointRight(2)
                                    .longValue())
                    : OptionalLong.empty();
        } catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
    }

    public Optional<Stat> process(long pid) {
        return start(pid + "/stat").flatMap(Stat::parse);
    }

    /** The numbers of the threads of a process; none if it has ended. */
    public long[] threads(long pid) {
        String[] names = new File(proc + pid + "/task").list();
        return names == null
                ? NONE
                : Stream.of(names).filter(NUMBER).mapToLong(Long::parseLong).toArray();
    }

    public Optional<Stat> thread(long pid, long tid) {
        return start(pid + "/task/" + tid + "/stat").flatMap(Stat::parse);
    }

    /** Empty also where the kernel does not count so finely. */
    public Optional<Schedule> schedule(long pid, long tid) {
        return start(pid + "/task/" + tid + "/schedstat").flatMap(Schedule::parse);
    }

    /** Costs some milliseconds, and does not change while the machine runs. */
    public StealCounting stealCounting() {
        return StealCounting.of(configuration(), start("cmdline").orElse(""));
    }

    private Optional<String> configuration() {
        Optional<String> release = start("sys/kernel/osrelease").map(String::strip);
        return packed(Path.of(proc + "config.gz"))
                .or(() -> release.flatMap(it -> text(root.resolve("boot/config-" + it))))
                .or(
                        () ->
                                release.flatMap(
                                        it -> text(root.resolve("lib/modules/" + it + "/config"))));
    }

    private static Optional<String> packed(Path file) {
        try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
            return Optional.of(new String(in.readNBytes(MAX_CONFIGURATION), ISO_8859_1));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    static Optional<String> text(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            return Optional.of(new String(in.readNBytes(MAX_CONFIGURATION), ISO_8859_1));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** The whole of a small file, byte by byte, in one system call and without a buffer to grow. */
    private Optional<String> start(String file) {
        byte[] some = new byte[ENOUGH];
        try (FileInputStream in = new FileInputStream(proc + file)) {
            int length = in.read(some);
            return length <= 0
                    ? Optional.empty()
                    : Optional.of(new String(some, 0, length, ISO_8859_1));
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
