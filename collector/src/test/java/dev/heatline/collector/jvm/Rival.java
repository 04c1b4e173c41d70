package dev.heatline.collector.jvm;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.heatline.wire.RecordingSettings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;

/** Follows a JVM, or stops to, whenever it is told so, and says what came of it. */
final class Rival {
    static final String FOLLOW = "follow";
    static final String STOP = "stop";

    private Rival() {}

    public static void main(String[] pids) throws IOException {
        Jvm jvm = Jvms.find(Long.parseLong(pids[0])).orElseThrow();
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        for (String order = orders.readLine(); order != null; order = orders.readLine()) {
            System.out.println(order.equals(FOLLOW) ? follow(jvm) : stop(jvm));
        }
    }

    private static String follow(Jvm jvm) {
        try {
            FlightRecorder.start(jvm, RecordingSettings.DEFAULT);
            return FOLLOW;
        } catch (JvmException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static String stop(Jvm jvm) {
        FlightRecorder.stop(jvm);
        return STOP;
    }
}
