package dev.heatline.collector;

import dev.heatline.collector.jvm.FlightRecorder;
import dev.heatline.collector.jvm.Jvm;
import dev.heatline.collector.jvm.JvmException;
import dev.heatline.collector.spool.Once;
import dev.heatline.wire.DiskRoom;
import java.nio.file.Path;
import java.util.function.Consumer;

/** Nothing of a JVM is recorded while there is little room on the disk that it writes to. */
final class Suspension {
    private final Jvm jvm;
    private final DiskRoom room;
    private final Once obstacles;
    private final Consumer<String> say;
    private boolean on;
    private boolean ours;

    Suspension(Jvm jvm, Path repository, Once obstacles, Consumer<String> say) {
        this.jvm = jvm;
        this.room = new DiskRoom(repository.resolveSibling("").toFile());
        this.obstacles = obstacles;
        this.say = say;
    }

    /** Stops the recording if the room has become little. Called every second. */
    void look() {
        if (!on && room.isLow()) {
            begin();
        }
    }

    private void begin() {
        try {
            ours = FlightRecorder.suspend(jvm, room.shortage());
            suspended();
        } catch (JvmException e) {
            // Nobody is asked again whom that disturbs.
            on = e.isHarmfulToRepeat();
            if (jvm.process().isAlive()) {
                obstacles.say(jvm + " does not stop recording: " + e.getMessage());
            }
        }
    }

    /** A recording that fell silent may be one that the agent stopped for the same reason. */
    boolean explainsSilence() {
        if (!on && !room.isEnough()) {
            suspended();
        }
        return on;
    }

    private void suspended() {
        on = true;
        say.accept(jvm + " " + room.shortage());
    }

    boolean isOn() {
        return on;
    }

    /** Ends it if there is room again, and says whether. */
    boolean hasEnded() {
        if (!on || !room.isEnough()) {
            return false;
        }
        on = false;
        say.accept(jvm + " is recorded again");
        return true;
    }

    /** Whether the recording was this collector's, which starts it again. */
    boolean isOurs() {
        return ours;
    }
}
