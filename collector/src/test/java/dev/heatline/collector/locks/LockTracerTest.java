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
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The tracer in real JVMs: what it blames on whom is what the program itself has seen. */
final class LockTracerTest {
    private static final List<String> ROLES = List.of("asLong", "asMiddle", "asShort");

    private static final int ATTEMPTS = 2;
    private static final long MOST_LATE_NANOS = 200_000;

    /** In which JVMs, what they do, and in threads of which kind. */
    static Stream<Arguments> programs() {
        List<Arguments> programs = new ArrayList<>();
        for (String section :
                List.of(
                        "monitor",
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
                        "readers")) {
            programs.add(Arguments.of(Target.jvms(), section, ""));
        }
        List<Path> newest = List.of(Target.jvms().getFirst());
        for (String section : List.of("monitor", "notify", "unfair", "condition")) {
            programs.add(Arguments.of(newest, section, "virtual"));
        }
        return programs.stream();
    }

    @ParameterizedTest
    @MethodSource("programs")
    void blamesWhomTheProgramBlames(List<Path> homes, String section, String threads) {
        for (Seen seen : run(homes, section, threads)) {
            assertBlamed(seen);
        }
    }

    private static void assertBlamed(Seen seen) {
        Map<String, Double> truth = seen.truth;
        Map<String, Double> blamed = blamed(seen.profile, "blocked");
        double total = sum(truth, "") - sum(truth, "nobody");
        String both = "truth " + truth + ", blamed " + blamed + seen.how();
        for (String kind : List.of("blocked ", "again ")) {
            for (String role : ROLES) {
                assertThat(blamed.getOrDefault(kind + role, 0.0))
                        .as("%s%s, %s", kind, role, both)
                        .isCloseTo(truth.getOrDefault(kind + role, 0.0), within(0.03 * total));
            }
        }
        assertThat(sum(blamed, "[unknown owner]")).as(both).isLessThan(0.05 * total);
        // Owners that were not seen must not hide there.
        assertThat(sum(blamed, "[handed over]"))
                .as(both)
                .isLessThan(sum(truth, "nobody") + 0.05 * total);
    }

    @ParameterizedTest
    @ValueSource(strings = {"semaphore", "latch"})
    void namesWhoLetAWaiterGoOn(String section) {
        for (Seen seen : run(Target.jvms(), section, "")) {
            Map<String, Double> truth = seen.truth;
            Map<String, Double> blamed = blamed(seen.profile, "waited");
            double total = sum(truth, "waited ");
            for (String role : ROLES) {
                assertThat(blamed.getOrDefault("waited " + role, 0.0))
                        .as("%s, truth %s, blamed %s%s", role, truth, blamed, seen.how())
                        .isCloseTo(truth.getOrDefault("waited " + role, 0.0), within(0.03 * total));
            }
        }
    }

    /**
     * What a program counted itself, and what was traced of it.
     *
     * @param lateNanos how late its threads went on after a pause, on average
     */
    private record Seen(Path home, Map<String, Double> truth, long lateNanos, Profile profile) {
        /** For people who wonder whether to believe a failure. */
        String how() {
            return ", threads went on " + lateNanos / 1_000 + " us late on average, " + home;
        }
    }

    /** On a machine that is too busy with others, a program does not know its own truth either. */
    private static List<Seen> run(List<Path> homes, String section, String threads) {
        List<Seen> seen = runOnce(homes, section, threads);
        for (int i = 1; i < ATTEMPTS && isLate(seen); i++) {
            seen = runOnce(homes, section, threads);
        }
        return seen;
    }

    private static boolean isLate(List<Seen> seen) {
        return seen.stream().anyMatch(each -> each.lateNanos > MOST_LATE_NANOS);
    }

    /** All JVMs side by side: the programs sleep most of the time. */
    private static List<Seen> runOnce(List<Path> homes, String section, String threads) {
        List<Traced> traced = new ArrayList<>();
        try {
            for (Path home : homes) {
                traced.add(Traced.start(home, section, threads));
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
    private record Traced(Path home, Target target, LockTracer tracer, LockAnalysis analysis)
            implements AutoCloseable {
        static Traced start(Path home, String section, String threads) {
            Target target = Target.contenders(home, section, threads);
            Jvm jvm = target.jvmThatSaid("ready");
            LockTracer tracer = LockTracer.start(jvm, Target.AGENT);
            return new Traced(home, target, tracer, LockAnalysis.live(tracer.trace()));
        }

        String output() {
            return target.output();
        }

        Seen seen() {
            tracer.stop();
            analysis.end();
            return new Seen(home, truth(output()), late(output()), analysis.take());
        }

        @Override
        public void close() {
            analysis.close();
            tracer.close();
            target.close();
        }
    }

    private static double sum(Map<String, Double> seconds, String what) {
        return seconds.entrySet().stream()
                .filter(entry -> entry.getKey().contains(what))
                .mapToDouble(Map.Entry::getValue)
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

    /** Seconds by what happened and whose fault it is, as the program counted them. */
    private static Map<String, Double> truth(String output) {
        Pattern line = Pattern.compile("(?m)^((?:blocked|again|waited) \\w+) (\\d+)$");
        Map<String, Double> truth = new TreeMap<>();
        Matcher lines = line.matcher(output);
        while (lines.find()) {
            truth.put(lines.group(1), Long.parseLong(lines.group(2)) / 1e9);
        }
        return truth;
    }

    private static long late(String output) {
        Matcher line = Pattern.compile("(?m)^late (\\d+)$").matcher(output);
        assertThat(line.find()).as(output).isTrue();
        return Long.parseLong(line.group(1));
    }

    /** The same, as it was traced. */
    private static Map<String, Double> blamed(Profile profile, String resource) {
        Profile arranged =
                Contentions.by(
                        profile, List.of(ContentionAspect.KIND, ContentionAspect.OWNER_CHAIN));
        Column column = arranged.requireColumn(resource);
        Map<String, Double> blamed = new TreeMap<>();
        for (int row = 0; row < column.rows(); row++) {
            int node = column.node(row);
            String kind = arranged.consumerOf(arranged.parent(node)).display();
            String chain = arranged.consumerOf(node).display();
            String role = ROLES.stream().filter(chain::contains).findFirst().orElse(chain);
            String what = kind.endsWith("after wait") ? "again " : resource + " ";
            blamed.merge(what + role, column.value(row) / 1e9, Double::sum);
        }
        return blamed;
    }
}
