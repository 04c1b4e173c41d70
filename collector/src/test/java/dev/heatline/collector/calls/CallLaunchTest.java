package dev.heatline.collector.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heatline.collector.jvm.JvmException;
import dev.heatline.collector.jvm.Target;
import dev.heatline.model.Profile;
import dev.heatline.model.Resource;
import dev.heatline.wire.CallRequest;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Programs that are started in order to be measured. */
class CallLaunchTest {
    private static final String BUSY = "dev.heatline.collector.jvm.Busy";

    static List<Path> jvms() {
        return Target.jvms();
    }

    private static long calls(CallWatch watch, String method) {
        Profile profile = watch.take();
        return profile.column(Resource.CALLS.name()).stream()
                .mapToLong(
                        column -> {
                            long sum = 0;
                            for (int row = 0; row < column.rows(); row++) {
                                int consumer = profile.consumer(column.node(row));
                                if (profile.consumerAt(consumer).name().equals(method)) {
                                    sum += column.value(row);
                                }
                            }
                            return sum;
                        })
                .sum();
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void whatAProgramDoesFromItsFirstMethodToItsEndIsSeen(Path jvm) throws Exception {
        CallRequest everything =
                CallRequest.builder().roots(List.of(CallRequest.EVERYTHING)).build();
        try (CallWatch watch =
                CallWatch.launch(Target.busyCommand(jvm), Target.AGENT, everything)) {
            ProcessHandle program = ProcessHandle.of(watch.jvm().pid()).orElseThrow();
            try {
                Target.await(
                        "pauses",
                        () -> {
                            watch.look();
                            return Optional.of(true).filter(_ -> calls(watch, "pause") > 10);
                        });
                long before = calls(watch, "pause");
                program.destroy();
                program.onExit().get();
                watch.stop();

                assertThat(calls(watch, "main")).isOne();
                assertThat(calls(watch, "start")).isEqualTo(6);
                assertThat(calls(watch, "recurse")).isEqualTo(301);
                assertThat(calls(watch, "pause")).isGreaterThan(before);
                assertThat(watch.awaitEnd()).isPresent();
            } finally {
                program.destroyForcibly();
            }
        }
    }

    @Test
    void aRootThatWillNeverBeThereIsSaidBeforeTheProgramBegins() {
        CallRequest misspelt = CallRequest.builder().roots(List.of("Bussy::burn")).build();
        List<String> command = Target.busyCommand(jvms().getFirst());
        assertThatThrownBy(() -> CallWatch.launch(command, Target.AGENT, misspelt))
                .isInstanceOf(JvmException.class)
                .hasMessageContaining("no class Bussy is loaded");
        CallRequest root = CallRequest.builder().roots(List.of(BUSY + "::burn")).build();
        assertThatThrownBy(() -> CallWatch.launch(List.of("sh", "x"), Target.AGENT, root))
                .hasMessageContaining("only a java command can be started");
        assertThatThrownBy(
                        () ->
                                CallWatch.launch(
                                        List.of(command.getFirst(), "-version"),
                                        Target.AGENT,
                                        CallRequest.builder().roots(List.of("x")).build()))
                .hasMessageContaining("is not a root");
    }
}
