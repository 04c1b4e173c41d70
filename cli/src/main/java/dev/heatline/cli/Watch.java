package dev.heatline.cli;

import dev.heatline.collector.calls.CallWatch;
import dev.heatline.collector.jvm.Jvm;
import dev.heatline.collector.locks.LockWatch;
import dev.heatline.model.Profile;
import dev.heatline.model.Provenance;
import java.util.Optional;

/** Something of a running JVM that is watched for a while. */
interface Watch extends AutoCloseable {

    /** How often to look: less often than a buffer fills, more often than people notice. */
    long LOOK_NANOS = 200_000_000;

    /** As long as the JVM runs. */
    long WITHOUT_END = Long.MAX_VALUE;

    /** Takes what is new. */
    void look();

    /** Whether there will be nothing more to see. */
    default boolean isOver() {
        return false;
    }

    /** What people should know of how it ended; empty if nothing. */
    default Optional<String> remark() {
        return Optional.empty();
    }

    /** Ends it, and takes what is left. */
    void stop();

    /** All that was seen. */
    Profile take();

    @Override
    void close();

    /** The locks of a JVM as something to be watched. */
    static Watch of(LockWatch locks) {
        return new Watch() {
            @Override
            public void look() {
                locks.look();
            }

            @Override
            public boolean isOver() {
                return locks.isOver();
            }

            @Override
            public Optional<String> remark() {
                return locks.remark();
            }

            @Override
            public void stop() {
                locks.stop();
            }

            @Override
            public Profile take() {
                return locks.take();
            }

            @Override
            public void close() {
                locks.close();
            }
        };
    }

    /** Calls of a JVM as something to be watched. */
    static Watch of(CallWatch calls) {
        return new Watch() {
            @Override
            public void look() {
                calls.look();
            }

            @Override
            public boolean isOver() {
                return calls.isOver();
            }

            @Override
            public void stop() {
                calls.stop();
            }

            @Override
            public Profile take() {
                return calls.take();
            }

            @Override
            public void close() {
                calls.close();
            }
        };
    }

    /** Watches until the time is over, the JVM ends, or somebody presses Ctrl-C. */
    default void during(
            long nanos, Jvm jvm, String what, Interruption interruption, Progress progress) {
        progress.step(what + " " + jvm, nanos == WITHOUT_END ? 0 : nanos);
        long start = System.nanoTime();
        boolean over = false;
        while (!over) {
            long spent = System.nanoTime() - start;
            progress.reach(spent);
            over =
                    spent >= nanos
                            || isOver()
                            || !jvm.process().isAlive()
                            || interruption.isAsked(Math.min(LOOK_NANOS, nanos - spent));
            look();
        }
        boolean ended = !jvm.process().isAlive();
        progress.step("ending");
        stop();
        remark().ifPresent(progress::tell);
        if (ended && nanos != WITHOUT_END) {
            progress.tell(jvm + " has ended; this is what was seen until then");
        }
    }

    /** What was seen, said to be of this JVM. */
    default Profile seenIn(Jvm jvm) {
        Profile seen = take();
        Provenance known =
                seen.provenance()
                        .withFact(Provenance.APPLICATION, jvm.execution().application())
                        .withFact(Provenance.INSTANCE, jvm.execution().instance());
        String version = jvm.execution().version();
        return seen.withProvenance(
                version.isEmpty() ? known : known.withFact(Provenance.VERSION, version));
    }
}
