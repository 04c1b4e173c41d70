package dev.heatline.collector;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.collector.jvm.Target;
import dev.heatline.collector.spool.Once;
import dev.heatline.model.Profile;
import dev.heatline.model.Provenance;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** How much of the CPU time of a JVM had its locks traced. */
class TracedLocksTest {
    private static final long SECOND = 1_000_000_000;

    private final List<String> said = new CopyOnWriteArrayList<>();

    private TracedLocks locksOf(Target target) {
        return new TracedLocks(
                target.jvmThatSaid("ready"),
                Optional.of(Target.AGENT),
                new Memory(Memory.DEFAULT_LIMIT),
                new Once(said::add));
    }

    private static Target contending() {
        Target target = Target.contenders(Target.JVM_25, "monitor", "", "60");
        target.jvmThatSaid("ready");
        target.tell("go");
        return target;
    }

    private static long micros(Optional<Profile> taken) {
        return taken.orElseThrow().provenance().count(Provenance.LOCKS_TRACED_MICROS);
    }

    @Test
    void whatRanBeforeAndAfterTracingDoesNotCount() throws Exception {
        try (Target target = contending();
                TracedLocks locks = locksOf(target)) {
            locks.switchOn(false);
            locks.ran(SECOND);
            assertThat(locks.take()).isEmpty();
            locks.switchOn(true);
            // Two intervals end before their contentions are taken.
            locks.ran(SECOND);
            locks.ran(SECOND);
            assertThat(micros(locks.take())).isEqualTo(2_000_000);

            locks.switchOn(false);
            locks.ran(SECOND);
            assertThat(micros(locks.take())).isEqualTo(1);
            locks.ran(SECOND);
            assertThat(locks.take()).isEmpty();

            locks.switchOn(true);
            locks.ran(SECOND);
            assertThat(micros(locks.take())).isEqualTo(1_000_000);
            assertThat(said).isEmpty();
        }
    }

    /** And what is closed early, before tracing is wanted again, does not come later. */
    @Test
    void ofAnIntervalInWhichTracingEndsThePartBeforeThatCounts() throws Exception {
        try (Target target = contending();
                TracedLocks locks = locksOf(target)) {
            locks.switchOn(true);
            locks.ran(SECOND);
            locks.stop();
            long stopped = System.nanoTime();
            Program.awaitThat("time passes", () -> System.nanoTime() - stopped > SECOND);
            locks.ran(SECOND);
            assertThat(micros(locks.take())).isBetween(1_000_000L, 1_900_000L);

            locks.ran(SECOND);
            assertThat(locks.take()).isEmpty();
            locks.ran(SECOND);
            locks.switchOn(true);
            locks.ran(SECOND);
            assertThat(micros(locks.take())).isEqualTo(1_000_000);
        }
    }

    @Test
    void aTracerThatEndsByItselfCountsUntilItWasLastSeen() throws Exception {
        try (Target target = contending();
                TracedLocks locks = locksOf(target)) {
            locks.switchOn(true);
            locks.look();
            target.kill();
            long killed = System.nanoTime();
            Program.awaitThat("time passes", () -> System.nanoTime() - killed > SECOND);
            locks.look();
            assertThat(locks.areOn()).isFalse();
            locks.ran(SECOND);
            // No more than until it was killed, of a second and more.
            assertThat(micros(locks.take())).isBetween(1L, 900_000L);
        }
    }
}
