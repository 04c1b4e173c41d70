package dev.heatline.wire;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What a server wants measured in a JVM that a collector follows.
 *
 * @param id of the measurement
 * @param jvm that of a {@link FollowedJvm}
 * @param seconds how long
 */
public record CallOrder(String id, String jvm, int seconds, CallRequest request) {
    /** Nobody looks at a measurement for longer. */
    public static final int MOST_SECONDS = 3_600;

    private static final String ORDER = "order";
    private static final String JVM = "jvm";
    private static final String SECONDS = "seconds";

    /** All of these as lines. */
    public static String written(List<CallOrder> orders) {
        List<String> lines = new ArrayList<>();
        for (CallOrder order : orders) {
            lines.add(Line.of(ORDER, order.id));
            lines.add(Line.of(JVM, order.jvm));
            lines.add(Line.of(SECONDS, order.seconds));
            lines.addAll(order.request.lines());
        }
        return String.join("\n", lines);
    }

    /**
     * What {@link #written} answers.
     *
     * @throws IOException if it is something else
     */
    public static List<CallOrder> read(String text) throws IOException {
        List<CallOrder> orders = new ArrayList<>();
        for (List<String> lines : Line.groups(text, ORDER)) {
            String id = "";
            String jvm = "";
            long seconds = 0;
            List<String> request = new ArrayList<>();
            for (String each : lines) {
                Line line = Line.parse(each);
                switch (line.name()) {
                    case ORDER -> id = line.value();
                    case JVM -> jvm = line.value();
                    case SECONDS -> seconds = CallRequest.whole(line.value());
                    default -> request.add(each);
                }
            }
            orders.add(
                    new CallOrder(
                            id,
                            jvm,
                            CallRequest.bounded(seconds, MOST_SECONDS),
                            CallRequest.of(request)));
        }
        return orders;
    }
}
