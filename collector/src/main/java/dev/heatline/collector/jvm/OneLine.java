package dev.heatline.collector.jvm;

import dev.heatline.wire.Announcement;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Texts that others choose, without what a terminal would obey, or would show as another line. */
public final class OneLine {

    /** Control characters, also those beyond ASCII, ends of lines, and changes of direction. */
    private static final Pattern OBEYED =
            Pattern.compile("[\\p{Cc}\\p{Zl}\\p{Zp}\u202a-\u202e\u2066-\u2069]+");

    private OneLine() {}

    public static String of(String text) {
        return OBEYED.matcher(text).replaceAll(" ");
    }

    static SortedMap<String, String> of(Map<String, String> texts) {
        SortedMap<String, String> clean = new TreeMap<>();
        texts.forEach((name, value) -> clean.put(of(name), of(value)));
        return clean;
    }

    /** The folder stays as it is: it has to be opened. */
    static Announcement of(Announcement told) {
        return new Announcement(
                told.process(),
                told.byAgent(),
                of(told.options()),
                of(told.settings()),
                told.repository(),
                told.stackDepth(),
                told.sinceMillis(),
                of(told.problem()),
                of(told.reduction()),
                told.collector());
    }
}
