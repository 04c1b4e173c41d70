package dev.heatline.collector.locks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.heatline.collector.jvm.Jvm;
import dev.heatline.collector.jvm.LockTracer;
import dev.heatline.collector.jvm.Target;
import dev.heatline.model.Column;
import dev.heatline.model.ContentionAspect;
import dev.heatline.model.Contentions;
import dev.heatline.model.Profile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The tracer in real JVMs: what it blames on whom is what the program itself has seen. */
final class LockTracerTest {
    private static final List<String> ROLES = List.of("asLong", "asMiddle", "asShort");

    private static final int ATTEMPTS = 3;
    private static final long MOST_LATE_NANOS = 200_000;

    /**
     * Between the program's look at the clock and the tracer's, which may take a call chain there,
     * some ten microseconds, at both ends of a piece.
     */
    private static final double CLOCK_NANOS = 20_000;

    /** Who has the lock may lose its CPU just between the two, while seven others wait. */
    private static final double LOST_CPU = 0.01;

    /** What virtual threads do, too. */
    private static final Set<String> VIRTUAL = Set.of("monitor", "notify", "unfair", "condition");

    /**
     * A program of {@link Contenders}.
     *
     * @param threads {@code virtual} or nothing
     */
    private record Program(Path home, String section, String threads) {}

    private static List<Program> inAllJvms(String section) {
        return Target.jvms().stream().map(home -> new Program(home, section, "")).toList();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "monitor",
                "within-own",
                "nested",
                "recursive",
                "exception",
                "exception-in-block",
                "notify",
                "unfair",
                "fair",
                "condition",
                "condition-in-time",
                "condition-timed",
                "write",
                "read-write",
                "readers"
            })
    void blamesWhomTheProgramBlames(String section) {
        List<Program> programs = new ArrayList<>(inAllJvms(section));
        if (VIRTUAL.contains(section)) {
            programs.add(new Program(Target.jvms().getFirst(), section, "virtual"));
        }
        for (Seen seen : run(programs)) {
            assertBlamed(seen);
        }
    }

    private static void assertBlamed(Seen seen) {
        Map<String, Charged> truth = seen.truth;
        Map<String, Charged> blamed = blamed(seen.profile, "blocked");
        String both = "truth " + truth + ", blamed " + blamed + seen.how();
        assertThat(truth).as(both).containsKey("blocked asShort");
        for (String lock : List.of("", "inner ")) {
            for (String kind : List.of(lock + "blocked ", lock + "again ")) {
                ROLES.forEach(role -> assertCharged(kind + role, truth, blamed, both));
            }
            double nobody = seconds(truth, lock, "nobody");
            double total = seconds(truth, lock, "") - nobody;
            if (total > 0) {
                assertThat(seconds(blamed, lock, "[unknown owner]"))
                        .as(lock + both)
                        .isLessThan(0.05 * total);
                // Owners that were not seen must not hide there.
                assertThat(seconds(blamed, lock, "[handed over]"))
                        .as(lock + both)
                        .isLessThan(nobody + 0.05 * total);
            }
        }
    }

    /** Each role for itself: a small one must not be wrong because another is large. */
    private static void assertCharged(
            String what, Map<String, Charged> truth, Map<String, Charged> blamed, String both) {
        Charged right = truth.getOrDefault(what, Charged.NOTHING);
        double total = truth.values().stream().mapToDouble(each -> each.seconds).sum();
        assertThat(blamed.getOrDefault(what, Charged.NOTHING).seconds)
                .as("%s, %s", what, both)
                .isCloseTo(right.seconds, within(right.tolerance(total)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"semaphore", "latch"})
    void namesWhoLetAWaiterGoOn(String section) {
        for (Seen seen : run(inAllJvms(section))) {
            Map<String, Charged> blamed = blamed(seen.profile, "waited");
            String both = "truth " + seen.truth + ", blamed " + blamed + seen.how();
            assertThat(seen.truth).as(both).containsKeys("waited asLong", "waited asMiddle");
            ROLES.forEach(role -> assertCharged("waited " + role, seen.truth, blamed, both));
        }
    }

    /**
     * What somebody is blamed for.
     *
     * @param pieces in how many pieces of a waiter's time
     */
    private record Charged(double seconds, int pieces) {
        static final Charged NOTHING = new Charged(0, 0);

        /**
         * Besides, the truth is not known better: the program and the tracer look at the clock one
         * after the other, at both ends.
         */
        double tolerance(double total) {
            return 0.03 * seconds + pieces * CLOCK_NANOS / 1e9 + LOST_CPU * total;
        }

        Charged plus(Charged other) {
            return new Charged(seconds + other.seconds, pieces + other.pieces);
        }

        @Override
        public String toString() {
            return String.format(Locale.ROOT, "%.1f ms in %d", 1e3 * seconds, pieces);
        }
    }

    /**
     * What a program counted itself, and what was traced of it.
     *
     * @param lateNanos how late its threads went on after a pause, on average
     */
    private record Seen(
            Program program, Map<String, Charged> truth, long lateNanos, Profile profile) {
        /** For people who wonder whether to believe a failure. */
        String how() {
            return ", threads went on " + lateNanos / 1_000 + " us late on average, " + program;
        }
    }

    /** On a machine that is too busy with others, a program does not know its own truth either. */
    private static List<Seen> run(List<Program> programs) {
        List<Seen> seen = runOnce(programs);
        for (int i = 1; i < ATTEMPTS && isLate(seen); i++) {
            seen = runOnce(programs);
        }
        return seen;
    }

    private static boolean isLate(List<Seen> seen) {
        return seen.stream().anyMatch(each -> each.lateNanos > MOST_LATE_NANOS);
    }

    /** All side by side: the programs sleep most of the time. */
    private static List<Seen> runOnce(List<Program> programs) {
        List<Traced> traced = new ArrayList<>();
        try {
            for (Program program : programs) {
                traced.add(Traced.start(program));
            }
            traced.forEach(each -> each.target.tell("go"));
            Target.await(
                    "all are done",
                    () -> {
                        traced.forEach(each -> each.analysis.look());
                        return traced.stream().allMatch(each -> each.output().contains("done"))
                                ? Optional.of(true)
                                : Optional.empty();
                    });
            return traced.stream().map(Traced::seen).toList();
        } finally {
            traced.forEach(Traced::close);
        }
    }

    /** A program whose locks are traced. */
    private record Traced(Program program, Target target, LockTracer tracer, LockAnalysis analysis)
            implements AutoCloseable {
        static Traced start(Program program) {
            Target target = Target.contenders(program.home(), program.section(), program.threads());
            Jvm jvm = target.jvmThatSaid("ready");
            LockTracer tracer = LockTracer.start(jvm, Target.AGENT);
            return new Traced(program, target, tracer, LockAnalysis.live(tracer.trace()));
        }

        String output() {
            return target.output();
        }

        Seen seen() {
            tracer.stop();
            analysis.end();
            return new Seen(program, truth(output()), late(output()), analysis.take());
        }

        @Override
        public void close() {
            analysis.close();
            tracer.close();
            target.close();
        }
    }

    private static double seconds(Map<String, Charged> charged, String lock, String what) {
        return charged.entrySet().stream()
                .filter(entry -> entry.getKey().startsWith("inner ") == lock.equals("inner "))
                .filter(entry -> entry.getKey().contains(what))
                .mapToDouble(entry -> entry.getValue().seconds)
                .sum();
    }

    @Test
    void whatKilledReadersLeftIsDeletedOnceTheirJvmHasEnded() throws IOException {
        Path left = Files.createDirectory(Path.of("/tmp/heatline-locks-4194305-1"));
        Files.createFile(left.resolve("trace"));
        try (Target target = Target.contenders(Target.jvms().getFirst(), "monitor", "")) {
            LockTracer.start(target.jvmThatSaid("ready"), Target.AGENT).close();
        }
        assertThat(left).doesNotExist();
    }

    /** What happened and whose fault it is, as the program counted it. */
    private static Map<String, Charged> truth(String output) {
        Pattern line =
                Pattern.compile(
                        "(?m)^((?:inner )?(?:blocked|again|waited) \\w+) (\\d+) in (\\d+)$");
        Map<String, Charged> truth = new TreeMap<>();
        Matcher lines = line.matcher(output);
        while (lines.find()) {
            double seconds = Long.parseLong(lines.group(2)) / 1e9;
            truth.put(lines.group(1), new Charged(seconds, Integer.parseInt(lines.group(3))));
        }
        return truth;
    }

    private static long late(String output) {
        Matcher line = Pattern.compile("(?m)^late (\\d+)$").matcher(output);
        assertThat(line.find()).as(output).isTrue();
        return Long.parseLong(line.group(1));
    }

    /** The same, as it was traced. */
    private static Map<String, Charged> blamed(Profile profile, String resource) {
        Profile arranged =
                Contentions.by(
                        profile,
                        List.of(
                                ContentionAspect.LOCK_CLASS,
                                ContentionAspect.KIND,
                                ContentionAspect.OWNER_CHAIN));
        Column column = arranged.requireColumn(resource);
        Map<String, Charged> blamed = new TreeMap<>();
        for (int row = 0; row < column.rows(); row++) {
            int node = column.node(row);
            int parent = arranged.parent(node);
            String lockClass = arranged.consumerOf(arranged.parent(parent)).display();
            String kind = arranged.consumerOf(parent).display();
            String chain = arranged.consumerOf(node).display();
            String role = ROLES.stream().filter(chain::contains).findFirst().orElse(chain);
            String what =
                    (lockClass.endsWith("$Inner") ? "inner " : "")
                            + (kind.endsWith("after wait") ? "again " : resource + " ")
                            + role;
            blamed.merge(what, new Charged(column.value(row) / 1e9, 1), Charged::plus);
        }
        return blamed;
    }
}
