package dev.heatline.collector.jvm;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.model.Execution;
import dev.heatline.wire.Naming;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class JvmsTest {

    static List<Path> jvms() {
        return Target.jvms();
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void everyJvmIsListedWithWhatItRuns(Path home) {
        try (Target target =
                Target.busy(home, "-Dheatline.app=shop", "-Dheatline.label.tier=web")) {
            Jvm jvm = target.jvm();
            assertThat(Jvms.list()).contains(jvm).isSortedAccordingTo(comparingPids());
            assertThat(jvm.main()).isEqualTo(Busy.class.getName());
            assertThat(jvm.feature()).isIn(17, 25);
            assertThat(jvm.user()).isEqualTo(System.getProperty("user.name"));
            assertThat(jvm.obstacle()).isEmpty();
            assertThat(jvm.announcement()).isEmpty();
            assertThat(jvm.execution().application()).isEqualTo("shop");
            assertThat(jvm.execution().labels()).isEqualTo(Map.of("tier", "web", "zone", "eu"));
            assertThat(jvm.execution().instance()).endsWith(":" + target.pid());
        }
    }

    private static Comparator<Jvm> comparingPids() {
        return Comparator.comparingLong(Jvm::pid);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-XX:+PerfDisableSharedMem", "-XX:-UsePerfData"})
    void aJvmWithoutPerformanceCountersIsFoundToo(String option) {
        try (Target target = Target.busy(Target.JVM_25, option)) {
            Jvm jvm = target.jvm();
            assertThat(jvm.main()).isEqualTo(Busy.class.getName());
            assertThat(jvm.feature()).isEqualTo(25);
            assertThat(jvm.obstacle()).isEmpty();
        }
    }

    @Test
    void aProgramThatBecomesAJvmIsFoundThen(@TempDir Path folder) throws IOException {
        Path go = folder.resolve("go");
        String java = String.join(" ", Target.command(Target.JVM_25, List.of()));
        String command = "until [ -e " + go + " ]; do sleep 0.05; done; exec " + java;
        try (Target target = Target.start(List.of("sh", "-c", command))) {
            assertThat(Jvms.find(target.pid())).isEmpty();
            assertThat(Jvms.list()).noneMatch(jvm -> jvm.pid() == target.pid());
            Files.createFile(go);
            assertThat(target.jvm().main()).isEqualTo(Busy.class.getName());
        }
    }

    @Test
    void whatATerminalWouldObeyIsNotInAnyText() {
        String app = "-Dheatline.app=sh\u001b[31mop\nroot\u009b2J\u202eend";
        try (Target target = Target.busy(Target.JVM_25, app, "-Dheatline.label.a=b\tc")) {
            Jvm jvm = target.jvm();
            assertThat(jvm.execution().application()).isEqualTo("sh [31mop root 2J end");
            assertThat(jvm.execution().labels()).containsEntry("a", "b c");
        }
        assertThat(new JvmException("\u001b]0;title\u0007")).hasMessage(" ]0;title ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"@%s", "-XX:VMOptionsFile=%s", "-XX:Flags=%s"})
    void aRefusalInAFileOfOptionsIsKnownBeforehand(String option, @TempDir Path folder)
            throws IOException {
        Path file = folder.resolve("options");
        // A file of flags has them without what precedes them on a command line.
        String prefix = option.startsWith("-XX:Flags") ? "" : "-XX:";
        Files.writeString(file, prefix + "+DisableAttachMechanism\n");
        try (Target target =
                Target.busy(Target.JVM_25, option.formatted(file), "-XX:-UsePerfData")) {
            assertThat(target.jvm().obstacle()).get().asString().contains("refuses attach");
            assertThat(target.output()).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void aRecorderThatIsSwitchedOffIsKnownBeforehand(Path home) {
        try (Target target = Target.busy(home, "-XX:-FlightRecorder")) {
            assertThat(target.jvm().obstacle())
                    .get()
                    .asString()
                    .contains("its flight recorder is switched off", "-XX:-FlightRecorder");
        }
    }

    @Test
    void neitherWeNorOtherProgramsNorNobodyAreAJvm() {
        long we = ProcessHandle.current().pid();
        assertThat(Jvms.list()).noneMatch(jvm -> jvm.pid() == we);
        assertThat(Jvms.find(we)).isEmpty();
        assertThat(Jvms.find(4_000_000_000L)).isEmpty();
        try (Target sleep = Target.start(List.of("sleep", "60"))) {
            assertThat(Jvms.find(sleep.pid())).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/opt/shop-1.2.jar, shop, 1.2",
        "shop-api-2.0.0-SNAPSHOT.jar, shop-api, 2.0.0-SNAPSHOT",
        "shop_v3.jar, shop, 3",
        "shop.jar, shop, ''",
        "log4j2-demo.jar, log4j2-demo, ''",
        "com.acme.Main, com.acme.Main, ''",
        "com.acme.shop/com.acme.Main, com.acme.Main, ''",
        "'', unknown, ''"
    })
    void aProgramThatWasToldNothingIsCalledAsItWasStarted(
            String main, String application, String version) {
        Execution execution = Identity.of(Map.of(), Map.of(), Map.of(), main, "here:1").execution();
        assertThat(execution.application()).isEqualTo(application);
        assertThat(execution.version()).isEqualTo(version);
        assertThat(execution.instance()).isEqualTo("here:1");
    }

    @Test
    void whoStandsNearerToTheProgramIsBelieved() {
        Identity identity =
                Identity.of(
                        Map.of("app", "agent"),
                        Map.of("heatline.app", "property", "heatline.version", "property"),
                        Map.of(
                                "HEATLINE_APP", "variable",
                                "HEATLINE_VERSION", "variable",
                                "HEATLINE_INSTANCE", "variable",
                                "HEATLINE_LABEL_ZONE", "eu"),
                        "shop-1.2.jar",
                        "here:1");
        Execution execution = identity.execution();
        assertThat(identity.changes()).isEmpty();
        assertThat(execution.application()).isEqualTo("agent");
        assertThat(execution.version()).isEqualTo("property");
        assertThat(execution.instance()).isEqualTo("variable");
        assertThat(execution.labels()).isEqualTo(Map.of("zone", "eu"));
    }

    @Test
    void namesThatNoServerTakesAreMendedAndSaid() {
        Identity identity =
                Identity.of(
                        Map.of("version", "v".repeat(600)),
                        Map.of("heatline.label.a<b", "1"),
                        Map.of("HEATLINE_LABEL_TEAM", "R&D", "HEATLINE_JAVA_OPTS", "-Da=\"&\""),
                        "R&D-1.2.jar",
                        "here:1");
        Execution execution = identity.execution();
        assertThat(execution.application()).isEqualTo("R_D");
        assertThat(execution.version()).isEqualTo("v".repeat(512));
        assertThat(execution.labels()).isEqualTo(Map.of("team", "R_D", "a_b", "1"));
        assertThat(identity.changes())
                .startsWith(
                        "kept app as R_D, version as "
                                + "v".repeat(40)
                                + "…, the name of a label as a_b, label.team as R_D: names have ");
    }

    @Test
    void labelsThatDoNotFitAreLeftOut() {
        Map<String, String> properties = new TreeMap<>();
        for (int i = 0; i < 5; i++) {
            properties.put("heatline.label." + i, "x".repeat(500));
        }
        Identity long5 = Identity.of(Map.of(), properties, Map.of(), "a.jar", "here:1");
        assertThat(long5.execution().labels()).containsOnlyKeys("0", "1", "2", "3");
        assertThat(long5.changes()).startsWith("kept label.4 not at all: ");
        properties.clear();
        for (int i = 10; i < 50; i++) {
            properties.put("heatline.label." + i, "");
            properties.put("heatline.label.x" + i, "x");
        }
        Identity many = Identity.of(Map.of(), properties, Map.of(), "a.jar", "here:1");
        assertThat(many.execution().labels()).hasSize(Naming.MAX_LABELS).doesNotContainKey("10");
    }

    @Test
    void theMainClassIsFoundAmongTheArguments() {
        assertThat(mainOf("-Xmx1g", "-cp", "a:b", "--add-opens", "x/y=z", "com.acme.Main", "-jar"))
                .isEqualTo("com.acme.Main");
        assertThat(mainOf("-ea", "-jar", "shop.jar", "x")).isEqualTo("shop.jar");
        assertThat(mainOf("-p", "mods", "-m", "shop/com.acme.Main"))
                .isEqualTo("shop/com.acme.Main");
        assertThat(mainOf("@arguments")).isEmpty();
        assertThat(mainOf("-jar")).isEmpty();
    }

    private static String mainOf(String... arguments) {
        return JavaCommand.of(List.of(arguments)).main();
    }

    @Test
    void filesThatAreNoPerformanceCountersSayNothing(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("1");
        for (byte[] bytes : List.of(new byte[0], new byte[100], forged(), "text".getBytes(UTF_8))) {
            Files.write(file, bytes);
            assertThat(PerfData.texts(file)).isEmpty();
        }
    }

    /** The right magic and lengths that lead nowhere. */
    private static byte[] forged() {
        byte[] bytes = new byte[64];
        ByteBuffer.wrap(bytes)
                .putInt(0, 0xcafec0c0)
                .putInt(24, 32)
                .putInt(28, Integer.MAX_VALUE)
                .putInt(32, Integer.MAX_VALUE);
        return bytes;
    }

    @Test
    void recordingsOfAnyNameAreToldApart() {
        List<RecordingList.Entry> entries =
                RecordingList.parse(
                        """
                        Recording 1: name=heatline maxsize=64.0MB (running)

                         Method Profiling Sample (jdk.ExecutionSample)
                           [period=10 ms,enabled=true]
                        Recording 2: name=my heatline (2) duration=30s maxsize=250.0MB (running)
                        Recording 3: name=heatline (stopped)
                        """);
        assertThat(entries).extracting("id").containsExactly(1, 2, 3);
        assertThat(entries)
                .extracting(RecordingList.Entry::isOurs)
                .containsExactly(true, false, false);
        assertThat(entries.get(1).name()).isEqualTo("my heatline (2)");
        assertThat(entries.getFirst().settings())
                .isEqualTo(
                        Map.of(
                                "jdk.ExecutionSample#period", "10ms",
                                "jdk.ExecutionSample#enabled", "true"));
    }
}
