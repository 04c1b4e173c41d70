package dev.heatline.collector.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ThreadNamesTest {

    @Test
    void bothWaysOfWritingNumbersAreRead() {
        String dump =
                """
                Full thread dump OpenJDK 64-Bit Server VM (17.0.15+6 mixed mode, sharing):

                "main" #1 prio=5 os_prio=0 cpu=58.92ms elapsed=1.10s tid=0x00007f2b nid=0x3039 runnable  [0x0]
                   java.lang.Thread.State: RUNNABLE
                \tat Shop.main(Shop.java:3)

                "Reference Handler" #9 [4712] daemon prio=10 os_prio=0 cpu=0.1ms tid=0x7f nid=4712 waiting on condition  [0x0]
                "GC Thread#0" os_prio=0 cpu=0.36ms elapsed=0.07s tid=0x7f nid=4713 runnable
                "not started" #3 [] prio=5 tid=0x7f nid=NA new

                JNI global refs: 14, weak refs: 0
                """;
        assertThat(ThreadNames.parse(dump))
                .isEqualTo(
                        Map.of(12345L, "main", 4712L, "Reference Handler", 4713L, "GC Thread#0"));
    }

    @Test
    void aNameCanNeitherHideNorDriveATerminal() {
        String behind = " #1 prio=5 tid=0x7f nid=%d runnable  [0x0]\n";
        String dump =
                ("\"a \"quoted\" name\"" + behind.formatted(1))
                        + ("\"two\nlines\"" + behind.formatted(2))
                        + ("\"\u001b[31mred\"" + behind.formatted(3))
                        + ("\"\"" + behind.formatted(4))
                        + ("\"plain\"" + behind.formatted(5));
        assertThat(ThreadNames.parse(dump))
                .isEqualTo(
                        Map.of(
                                1L, "a \"quoted\" name",
                                2L, "two lines",
                                3L, " [31mred",
                                4L, "",
                                5L, "plain"));
    }

    @Test
    void whatIsNoDumpHasNoNames() {
        assertThat(ThreadNames.parse("")).isEmpty();
        assertThat(ThreadNames.parse("\"cut off\" #1 prio=5 tid=0x")).isEmpty();
        assertThat(ThreadNames.parse("\"" + "x".repeat(10_000) + "\" nid=1 ")).isEmpty();
    }
}
