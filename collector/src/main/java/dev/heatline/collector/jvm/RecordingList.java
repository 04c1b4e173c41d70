package dev.heatline.collector.jvm;

import dev.heatline.wire.RecordingSettings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a JVM answers to {@code JFR.check verbose=true}: its recordings and their settings. */
final class RecordingList {
    private static final Pattern RECORDING =
            Pattern.compile("Recording (\\d+): name=(.*?)(?: \\w+=\\S+)* \\((\\w+)\\)");
    private static final Pattern EVENT = Pattern.compile(" .*\\((\\S+)\\)");
    private static final Pattern SETTINGS = Pattern.compile(" +\\[(.*)\\]");

    private RecordingList() {}

    /**
     * One recording.
     *
     * @param id what commands call it by
     * @param name what it was called by whoever started it; need not be the only one of that name
     * @param running whether it records
     * @param settings of the events that are on, {@code EVENT#SETTING} to value
     */
    record Entry(int id, String name, boolean running, Map<String, String> settings) {

        boolean isOurs() {
            return running && name.equals(RecordingSettings.RECORDING);
        }
    }

    static List<Entry> parse(String answer) {
        List<Entry> entries = new ArrayList<>();
        String event = "";
        for (String line : answer.lines().toList()) {
            Matcher recording = RECORDING.matcher(line);
            Matcher settings = SETTINGS.matcher(line);
            Matcher named = EVENT.matcher(line);
            if (recording.matches()) {
                entries.add(
                        new Entry(
                                Integer.parseInt(recording.group(1)),
                                recording.group(2),
                                recording.group(3).equals("running"),
                                new LinkedHashMap<>()));
            } else if (settings.matches() && !entries.isEmpty()) {
                put(entries.getLast().settings, event, settings.group(1));
            } else if (named.matches()) {
                event = named.group(1);
            }
        }
        return entries;
    }

    /** Some JVMs write {@code 10ms}, others {@code 10 ms}. */
    private static void put(Map<String, String> all, String event, String settings) {
        for (String setting : settings.split(",", -1)) {
            int equals = setting.indexOf('=');
            if (equals > 0) {
                all.put(
                        event + "#" + setting.substring(0, equals),
                        setting.substring(equals + 1).replace(" ", ""));
            }
        }
    }
}
