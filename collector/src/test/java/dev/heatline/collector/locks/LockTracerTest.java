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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The tracer in real JVMs: what it blames on whom is what the program itself has seen. */
final class LockTracerTest {
    private static final List<String> ROLES = List.of("asLong", "asMiddle", "asShort");

    static Stream<Arguments> programs() {
        List<Arguments> programs = new ArrayList<>();
        for (Path jvm : Target.jvms()) {
            for (String section :
                    List.of(
                            "monitor",
                            "nested",
                            "recursive",
                            "exception",
                            "unfair",
                            "fair",
                            "write")) {
                programs.add(Arguments.of(jvm, section, ""));
            }
        }
        Path newest = Target.jvms().getFirst();
        programs.add(Arguments.of(newest, "monitor", "virtual"));
        programs.add(Arguments.of(newest, "unfair", "virtual"));
        return programs.stream();
    }

    @ParameterizedTest
    @MethodSource("programs")
    void blamesWhomTheProgramBlames(Path home, String section, String threads) {
        try (Target target = Target.contenders(home, section, threads)) {
            Jvm jvm = target.jvmThatSaid("ready");
            Profile profile;
            try (LockTracer tracer = LockTracer.start(jvm, Target.AGENT);
                    LockAnalysis analysis = LockAnalysis.live(tracer.trace())) {
                target.tell("go");
                Target.await(
                        "it is done",
                        () -> {
                            analysis.look();
                            return target.output().contains("done")
                                    ? Optional.of(true)
                                    : Optional.empty();
                        });
                tracer.stop();
                analysis.end();
                profile = analysis.take();
            }
            Map<String, Double> truth = truth(target.output());
            Map<String, Double> blamed = blamed(profile);
            double total = truth.values().stream().mapToDouble(Double::doubleValue).sum();
            String both = "truth " + truth + ", blamed " + blamed;
            for (String role : ROLES) {
                assertThat(blamed.getOrDefault(role, 0.0))
                        .as("%s, %s", role, both)
                        .isCloseTo(truth.get(role), within(0.03 * total));
            }
            assertThat(blamed.getOrDefault("[unknown owner]", 0.0))
                    .as(both)
                    .isLessThan(0.05 * total);
        }
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

    /** Seconds by role, as the program counted them. */
    private static Map<String, Double> truth(String output) {
        Map<String, Double> truth = new HashMap<>();
        output.lines()
                .map(line -> line.split(" ", 2))
                .filter(words -> words.length == 2 && ROLES.contains(words[0]))
                .forEach(words -> truth.put(words[0], Long.parseLong(words[1]) / 1e9));
        return truth;
    }

    private static Map<String, Double> blamed(Profile profile) {
        Profile arranged = Contentions.by(profile, List.of(ContentionAspect.OWNER_CHAIN));
        Column blocked = arranged.requireColumn("blocked");
        Map<String, Double> blamed = new HashMap<>();
        for (int row = 0; row < blocked.rows(); row++) {
            String chain = arranged.consumerOf(blocked.node(row)).display();
            String role = ROLES.stream().filter(chain::contains).findFirst().orElse(chain);
            blamed.merge(role, blocked.value(row) / 1e9, Double::sum);
        }
        return blamed;
    }
}
