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

    /** Nothing is recorded. */
    private boolean on;

    /** The JVM was told to stop, or does not stop; it is not told again before there is room. */
    private boolean told;

    /** It was this collector that stopped it, and starts it again. */
    private boolean ours;

    Suspension(Jvm jvm, Path repository, Once obstacles, Consumer<String> say) {
        this.jvm = jvm;
        this.room = new DiskRoom(repository.resolveSibling("").toFile());
        this.obstacles = obstacles;
        this.say = say;
    }

    /** Stops the recording if the room has become little. Called every second. */
    void look() {
        if (!told && room.isLow()) {
            stop();
        }
    }

    private void stop() {
        try {
            ours = FlightRecorder.suspend(jvm, room.shortage());
            told = true;
            begin();
        } catch (JvmException e) {
            // Nobody is asked again whom that disturbs.
            told = e.isHarmfulToRepeat();
            if (jvm.process().isAlive()) {
                obstacles.say(jvm + " does not stop recording: " + e.about(jvm));
            }
        }
    }

    /** A recording that fell silent may be one that the agent stopped for the same reason. */
    boolean explainsSilence() {
        if (!room.isEnough()) {
            begin();
        }
        return on;
    }

    private void begin() {
        if (!on) {
            on = true;
            say.accept(jvm + " " + room.shortage());
        }
    }

    /** Something was recorded: whoever was only silent is not any more. */
    void hear() {
        on &= told;
    }

    boolean isOn() {
        return on;
    }

    boolean hasRoom() {
        return room.isEnough();
    }

    /** Whether the recording was this collector's, which starts it again. */
    boolean isOurs() {
        return ours;
    }

    /** It is recorded again. */
    void end() {
        on = false;
        told = false;
        ours = false;
        say.accept(jvm + " is recorded again");
    }
}
