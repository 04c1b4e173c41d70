package dev.heatline.agent.calls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.agent.Target;
import dev.heatline.wire.CallRequest;
import dev.heatline.wire.RegionSnapshot.Bucket;
import dev.heatline.wire.RegionSnapshot.Call;
import dev.heatline.wire.RegionSnapshot.Region;
import dev.heatline.wire.RegionSnapshot.SlowCall;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The times of one method. */
class RegionTest {
    private static final long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    static Stream<Path> jvms() throws IOException {
        return Target.jvms().stream();
    }

    private static CallRequest.Builder region(String method) {
        return CallRequest.builder().regions(List.of(Measured.qualified(method)));
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void everyCallIsTimedAndTheSlowestSaysWhereItCameFrom(Path jvm) throws Exception {
        try (Measured target = Measured.start(jvm, "-Xverify:all")) {
            target.program().play("region");
            assertThat(target.on(region("Region::elapse"))).isEqualTo("on");
            target.program().play("region");
            assertThat(target.off()).isEqualTo("off");
            target.program().play("region");

            Region seen = target.regions().regions().get(0);
            assertThat(seen.calls()).isEqualTo(41);
            assertThat(seen.buckets().stream().mapToLong(Bucket::calls).sum()).isEqualTo(41);
            Bucket longest = seen.buckets().get(seen.buckets().size() - 1);
            assertThat(longest.calls()).isOne();
            SlowCall slow = seen.slowest().get(0);
            assertThat(slow.tookNanos())
                    .isGreaterThanOrEqualTo(SLOW_NANOS)
                    .isBetween(longest.fromNanos(), longest.toNanos());
            assertThat(slow.thread()).isEqualTo("main");
            assertThat(slow.argumentTypes())
                    .containsExactly("java.util.ArrayList", CallScenes.Point.class.getName());
            assertThat(slow.stack())
                    .first()
                    .asString()
                    .contains("CallScenes$Region.elapse(CallScenes.java");
            assertThat(slow.stack()).element(1).asString().contains("CallScenes$Region.slow");
            assertThat(seen.last())
                    .hasSize(41)
                    .isSortedAccordingTo((a, b) -> Long.compare(a.startNanos(), b.startNanos()))
                    .last()
                    .extracting(Call::tookNanos)
                    .isEqualTo(slow.tookNanos());
            assertThat(seen.totalNanos())
                    .isEqualTo(seen.last().stream().mapToLong(Call::tookNanos).sum());
            assertThat(target.program().errors()).doesNotContain("Exception", "Error");
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void allThreadsTogether(Path jvm) throws Exception {
        try (Measured target = Measured.start(jvm)) {
            // Not loaded yet.
            assertThat(target.on(region("Plain::leaf"))).isEqualTo("on");
            target.program().play("threads");
            target.program().play("plain");
            target.off();
            Region seen = target.regions().regions().get(0);
            assertThat(seen.calls()).isEqualTo(4 * 13_000 + 1300);
            assertThat(seen.last()).hasSize(100);
            assertThat(seen.slowest())
                    .hasSize(5)
                    .isSortedAccordingTo((a, b) -> Long.compare(b.tookNanos(), a.tookNanos()));
        }
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void oneThatIsNeverLoadedIsNoError(Path jvm) throws Exception {
        try (Measured target = Measured.start(jvm)) {
            assertThat(target.on(region("Plain::leaf"))).isEqualTo("on");
            assertThat(target.off()).isEqualTo("off");
            assertThat(target.regions().regions()).isEmpty();
        }
    }

    /** What the hooks call themselves. */
    @ParameterizedTest
    @MethodSource("jvms")
    void oneThatTheHooksNeedIsTimedToo(Path jvm) throws Exception {
        try (Measured target = Measured.start(jvm)) {
            CallRequest.Builder request =
                    CallRequest.builder()
                            .regions(List.of("java.util.ArrayList::add(Object)"))
                            .includes(List.of("java.util.ArrayList"));
            assertThat(target.on(request)).isEqualTo("on");
            target.program().play("threads");
            target.off();
            assertThat(target.regions().regions().get(0).calls()).isGreaterThanOrEqualTo(4);
            assertThat(target.program().errors()).isEmpty();
        }
    }
}
