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

/** All that the agent does: switch the recorder on and say so. Then it is done. */
public final class Start {
    private final List<String> problems = new ArrayList<>();
    private final long sinceMillis = System.currentTimeMillis();
    private Map<String, String> settings = Map.of();
    private int stackDepth;

    private Start() {}

    /** Called by {@link Agent}; returns before the application's main method starts. */
    public static void run(String options, Instrumentation instrumentation) {
        Start start = new Start();
        Options understood = Options.of(options);
        start.problems.addAll(understood.problems());
        start.record(instrumentation);
        start.announce(understood.values());
    }

    private void record(Instrumentation instrumentation) {
        if (ModuleLayer.boot().findModule("jdk.jfr").isEmpty()) {
            problems.add(
                    "this JVM runs without the module jdk.jfr; start it with --add-modules jdk.jfr,"
                            + " from a Java runtime that has it");
            return;
        }
        try {
            Recorder recorder = new Recorder(instrumentation, problems);
            settings = recorder.start();
            stackDepth = recorder.stackDepth();
        } catch (RuntimeException | LinkageError e) {
            // Such as a full disk, or a recorder that was switched off: no reason to keep the
            // application from starting.
            problems.add("the flight recorder does not start: " + e);
        }
    }

    private void announce(Map<String, String> options) {
        try {
            Announcements.here()
                    .write(
                            new Announcement(
                                    ProcessKey.current(),
                                    true,
                                    options,
                                    settings,
                                    System.getProperty("jdk.jfr.repository", ""),
                                    stackDepth,
                                    sinceMillis,
                                    String.join("; ", problems),
                                    "",
                                    Optional.empty()))
                    .toFile()
                    .deleteOnExit();
        } catch (IOException | RuntimeException e) {
            // Without a place to write to the collector can still attach, as to any other JVM.
            return;
        }
    }
}
