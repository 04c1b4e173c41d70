package dev.heatline.collector.jvm;

import dev.heatline.wire.RecordingSettings;

/** Switches the recorder of a JVM on, prints what there is to remark, and leaves it so. */
final class Recording {
    private Recording() {}

    public static void main(String[] pids) {
        Jvm jvm = Jvms.find(Long.parseLong(pids[0])).orElseThrow();
        FlightRecording recording = FlightRecorder.start(jvm, RecordingSettings.DEFAULT);
        System.out.println(recording.remark().orElse("nothing"));
    }
}
