package dev.heatline.agent;

import dev.heatline.wire.Announcement;
import dev.heatline.wire.Announcements;
import dev.heatline.wire.ProcessKey;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Switches the recorder on and says so, and says it when that changes for lack of room on disk. */
public final class Start {
    private final Map<String, String> options;
    private final List<String> problems;
    private int stackDepth;
    private boolean announced;

    private Start(Options options) {
        this.options = options.values();
        this.problems = new ArrayList<>(options.problems());
    }

    /** Called by {@link Agent}; returns before the application's main method starts. */
    public static void run(String options, Instrumentation instrumentation) {
        new Start(Options.of(options)).record(instrumentation);
    }

    private void record(Instrumentation instrumentation) {
        if (ModuleLayer.boot().findModule("jdk.jfr").isEmpty()) {
            isNotRecorded(
                    "this JVM runs without the module jdk.jfr; start it with --add-modules jdk.jfr,"
                            + " from a Java runtime that has it");
            return;
        }
        try {
            Recorder recorder = new Recorder(instrumentation, problems);
            stackDepth = recorder.stackDepth();
            RoomWatch.begin(recorder, this);
        } catch (RuntimeException | LinkageError e) {
            // Such as a full disk, or a recorder that was switched off: no reason to keep the
            // application from starting.
            isNotRecorded("the flight recorder does not start: " + e);
        }
    }

    /** Says what is recorded, and since when. */
    void isRecorded(Map<String, String> settings, long sinceMillis) {
        announce(settings, sinceMillis, problems);
    }

    /** Says why nothing is. */
    void isNotRecorded(String why) {
        List<String> all = new ArrayList<>(problems);
        all.add(why);
        announce(Map.of(), System.currentTimeMillis(), all);
    }

    private void announce(Map<String, String> settings, long sinceMillis, List<String> told) {
        try {
            ProcessKey process = ProcessKey.current();
            Announcements announcements = Announcements.here();
            Optional<Announcement> before =
                    announced ? announcements.of(process) : Optional.empty();
            announcements
                    .write(
                            new Announcement(
                                    process,
                                    true,
                                    options,
                                    settings,
                                    System.getProperty("jdk.jfr.repository", ""),
                                    stackDepth,
                                    sinceMillis,
                                    String.join("; ", told),
                                    before.map(Announcement::reduction).orElse(""),
                                    before.flatMap(Announcement::collector)))
                    .toFile()
                    .deleteOnExit();
            announced = true;
        } catch (IOException | RuntimeException e) {
            // Without a place to write to the collector can still attach, as to any other JVM.
            return;
        }
    }
}
