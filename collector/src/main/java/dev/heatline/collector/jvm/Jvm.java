package dev.heatline.collector.jvm;

import dev.heatline.model.Execution;
import dev.heatline.wire.Announcement;
import dev.heatline.wire.ProcessKey;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A JVM of this machine, as it was when it was looked at.
 *
 * @param process which process
 * @param main the main class or the jar it was started with
 * @param jdk its Java version, such as {@code 17.0.15}; empty if unknown
 * @param user whose it is
 * @param execution which program it runs
 * @param renamed what of that was told otherwise, with names that no server takes; empty if nothing
 * @param obstacle why its recorder cannot be switched on or off from outside; empty if it can
 * @param announcement what Heatline has on there; empty if nothing
 */
public record Jvm(
        ProcessKey process,
        String main,
        String jdk,
        String user,
        Execution execution,
        String renamed,
        Optional<String> obstacle,
        Optional<Announcement> announcement) {

    private static final Duration FAREWELL = Duration.ofSeconds(1);

    /**
     * Other users choose these texts, and they end up in logs and on terminals. Those of the
     * execution are names.
     */
    public Jvm {
        main = OneLine.of(main);
        jdk = OneLine.of(jdk);
        user = OneLine.of(user);
        renamed = OneLine.of(renamed);
        obstacle = obstacle.map(OneLine::of);
        announcement = announcement.map(OneLine::of);
    }

    public long pid() {
        return process.pid();
    }

    /** A JVM that is about to end stops answering before, and closes what it was asked through. */
    public boolean isEnding() {
        try {
            if (process.isAlive()) {
                ProcessHandle.of(pid())
                        .map(ProcessHandle::onExit)
                        .orElseGet(() -> CompletableFuture.completedFuture(null))
                        .get(FAREWELL.toMillis(), TimeUnit.MILLISECONDS);
            }
            return true;
        } catch (TimeoutException e) {
            return !process.isAlive();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return !process.isAlive();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Whether we may do there what its user may: we are that user, or root. */
    public boolean isWithinReach() {
        return new RunningProcess(pid()).isWithinReach();
    }

    /**
     * Heatline's recording there, as it was announced; {@link FlightRecorder#find} asks the JVM.
     */
    public Optional<FlightRecording> announced() {
        return announcement.filter(Announcement::isOn).map(FlightRecording::of);
    }

    /** The 17 of 17.0.15; 0 if unknown. */
    public int feature() {
        return feature(jdk);
    }

    static int feature(String jdk) {
        String version = jdk.startsWith("1.") ? jdk.substring(2) : jdk;
        int digits = 0;
        while (digits < Math.min(3, version.length())
                && Character.isDigit(version.charAt(digits))) {
            digits++;
        }
        return digits == 0 ? 0 : Integer.parseInt(version.substring(0, digits));
    }

    @Override
    public String toString() {
        return "JVM " + pid() + " (" + main + ")";
    }
}
