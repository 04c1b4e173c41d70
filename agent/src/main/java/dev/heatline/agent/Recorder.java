package dev.heatline.agent;

import dev.heatline.wire.DiskRoom;
import dev.heatline.wire.RecordingSettings;
import java.io.File;
import java.lang.instrument.Instrumentation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import jdk.jfr.RecordingState;

/**
 * The flight recorder of this JVM, switched on from inside. Touched only where the JDK has one.
 *
 * <p>Two things have no public method, only a diagnostic command: the stack depth, and how often
 * the recorder writes to disk. Calling what that command calls spares the application the start of
 * the whole management machinery.
 */
final class Recorder {
    private static final String INTERNAL = "jdk.jfr.internal";

    private final List<String> problems;
    private final RecordingSettings settings = RecordingSettings.DEFAULT;
    private final Map<String, String> events;

    /** Initialises it; records nothing yet. */
    Recorder(Instrumentation instrumentation, List<String> problems) {
        this.problems = problems;
        instrumentation.redefineModule(
                FlightRecorder.class.getModule(),
                Set.of(),
                Map.of(INTERNAL, Set.of(Recorder.class.getModule())),
                Map.of(),
                Set.of(),
                Map.of());
        // The depth is everybody's: with another recording on, it is that one's choice.
        if (!FlightRecorder.isInitialized()) {
            attempt("the stack depth", this::setStackDepth);
        }
        FlightRecorder.getFlightRecorder();
        this.events = settings.events(hasCpuTime());
    }

    /** What is to be recorded in this JVM. */
    Map<String, String> events() {
        return events;
    }

    /** The folder in which it has its own, or will have when it records. */
    File disk() {
        File[] folder = {new File(System.getProperty("java.io.tmpdir", ""))};
        attempt("where to look for room on disk", () -> folder[0] = repository().getParentFile());
        return folder[0];
    }

    private static File repository() throws ReflectiveOperationException {
        Class<?> repository = internal("Repository");
        Object own = repository.getMethod("getRepository").invoke(null);
        return new File(repository.getMethod("getRepositoryPath").invoke(own).toString());
    }

    /** Starts recording. */
    void start(Map<String, String> wanted, DiskRoom room) {
        Recording recording = new Recording();
        recording.setName(RecordingSettings.RECORDING);
        recording.setSettings(wanted);
        recording.setToDisk(true);
        recording.setMaxSize(room.limit(settings.maxBytes()));
        attempt("the flush interval", () -> setFlushInterval(recording));
        recording.start();
    }

    /**
     * Stops what is recorded for Heatline, which a collector may have begun.
     *
     * @return what that was; empty if it was nothing
     */
    Map<String, String> stop() {
        Map<String, String> stopped = Map.of();
        for (Recording recording : running()) {
            stopped = recording.getSettings();
            recording.close();
        }
        return stopped;
    }

    private static List<Recording> running() {
        List<Recording> running = new ArrayList<>();
        for (Recording recording : FlightRecorder.getFlightRecorder().getRecordings()) {
            if (recording.getState() == RecordingState.RUNNING
                    && recording.getName().equals(RecordingSettings.RECORDING)) {
                running.add(recording);
            }
        }
        return running;
    }

    /** Whether something is recorded for Heatline. */
    static boolean isOn() {
        return !running().isEmpty();
    }

    /** The version alone does not say it: a JDK may be built without. */
    private static boolean hasCpuTime() {
        if (RecordingSettings.hasCpuTime(
                Runtime.version().feature(), System.getProperty("os.name"))) {
            for (EventType event : FlightRecorder.getFlightRecorder().getEventTypes()) {
                if (event.getName().equals(RecordingSettings.CPU_TIME_SAMPLE)) {
                    return true;
                }
            }
        }
        return false;
    }

    private void setStackDepth() throws ReflectiveOperationException {
        internal("Options")
                .getMethod("setStackDepth", Integer.class)
                .invoke(null, settings.stackDepth());
    }

    /** How many frames are kept, whoever chose it; 0 if that cannot be told. */
    int stackDepth() {
        int[] depth = new int[1];
        attempt(
                "the stack depth in effect",
                () -> depth[0] = (int) internal("Options").getMethod("getStackDepth").invoke(null));
        return depth[0];
    }

    private static void setFlushInterval(Recording recording) throws ReflectiveOperationException {
        Class<?> access = internal("PrivateAccess");
        Object platformRecording =
                access.getMethod("getPlatformRecording", Recording.class)
                        .invoke(access.getMethod("getInstance").invoke(null), recording);
        internal("PlatformRecording")
                .getMethod("setFlushInterval", Duration.class)
                .invoke(platformRecording, RecordingSettings.FLUSH_INTERVAL);
    }

    private static Class<?> internal(String name) throws ClassNotFoundException {
        return Class.forName(INTERNAL + "." + name);
    }

    private interface Attempt {
        void run() throws ReflectiveOperationException;
    }

    /** Without it the recording is less good, and still worth having. */
    private void attempt(String what, Attempt attempt) {
        try {
            attempt.run();
        } catch (ReflectiveOperationException | RuntimeException e) {
            problems.add("this JVM does not let the agent set " + what + ": " + e);
        }
    }
}
