package dev.heatline.wire;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A JVM of which a collector says that it follows it and could measure its calls.
 *
 * @param id tells it from all others of all collectors
 * @param version empty if unknown
 * @param main the class or jar it was started with
 */
public record FollowedJvm(
        String id, String application, String version, String instance, String main, long pid) {
    private static final String JVM = "jvm";
    private static final String APPLICATION = "application";
    private static final String VERSION = "version";
    private static final String INSTANCE = "instance";
    private static final String MAIN = "main";
    private static final String PID = "pid";

    /** All of these as lines. */
    public static String written(List<FollowedJvm> jvms) {
        List<String> lines = new ArrayList<>();
        for (FollowedJvm jvm : jvms) {
            lines.add(Line.of(JVM, jvm.id));
            lines.add(Line.of(APPLICATION, jvm.application));
            lines.add(Line.of(VERSION, jvm.version));
            lines.add(Line.of(INSTANCE, jvm.instance));
            lines.add(Line.of(MAIN, jvm.main));
            lines.add(Line.of(PID, jvm.pid));
        }
        return String.join("\n", lines);
    }

    /**
     * What {@link #written} answers.
     *
     * @throws IOException if it is something else
     */
    public static List<FollowedJvm> read(String text) throws IOException {
        List<FollowedJvm> jvms = new ArrayList<>();
        for (List<String> lines : Line.groups(text, JVM)) {
            Map<String, String> said = new HashMap<>();
            for (String each : lines) {
                Line line = Line.parse(each);
                said.put(line.name(), line.value());
            }
            jvms.add(
                    new FollowedJvm(
                            said.getOrDefault(JVM, ""),
                            said.getOrDefault(APPLICATION, ""),
                            said.getOrDefault(VERSION, ""),
                            said.getOrDefault(INSTANCE, ""),
                            said.getOrDefault(MAIN, ""),
                            CallRequest.whole(said.getOrDefault(PID, "0"))));
        }
        return jvms;
    }
}
