package dev.heatline.collector.spool;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Says the same thing only once, however often it happens again, until something else was said or
 * it is over. For one topic, such as the server; safe for use by several threads.
 */
public final class Once {
    private final Consumer<String> say;
    private @Nullable String last;

    public Once(Consumer<String> say) {
        this.say = say;
    }

    /** Says it, unless it was the last thing said. */
    public synchronized void say(String message) {
        if (!message.equals(last)) {
            last = message;
            say.accept(message);
        }
    }

    /** The trouble is over: says so if there was any. */
    public synchronized void over(String message) {
        if (last != null) {
            last = null;
            say.accept(message);
        }
    }
}
