package dev.heatline.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.heatline.server.measure.Measurement.State;
import dev.heatline.server.measure.Measurements;
import dev.heatline.server.measure.Seen;
import dev.heatline.wire.CallOrder;
import dev.heatline.wire.FollowedJvm;
import io.helidon.common.uri.UriQuery;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.util.List;

/**
 * What collectors say that is no profile to keep: {@code POST /api/v1/collectors}, which JVMs they
 * follow, answered by what is wanted of those; {@code POST /api/v1/collectors/measurements}, how a
 * measurement goes, answered by whether it is to go on.
 */
final class CollectorExchange {
    private static final String TEXT = "text/plain; charset=utf-8";
    private static final int MOST_LINES = 20;
    private static final int LONGEST_LINE = 500;
    private static final int LONGEST_ID = 128;

    private final Bodies bodies;
    private final Measurements measurements;

    CollectorExchange(Bodies bodies, Measurements measurements) {
        this.bodies = bodies;
        this.measurements = measurements;
    }

    void jvms(ServerRequest request, ServerResponse response) {
        try (Bodies.Body body = bodies.read(request)) {
            List<FollowedJvm> followed = FollowedJvm.read(new String(body.bytes(), UTF_8));
            followed.forEach(CollectorExchange::check);
            String wanted = CallOrder.written(measurements.exchange(followed));
            Answer.text(response, 200, TEXT, wanted);
        } catch (IOException e) {
            throw new Refusal(400, String.valueOf(e.getMessage()));
        }
    }

    /** The same names are refused that would be refused of a profile. */
    private static void check(FollowedJvm jvm) {
        if (jvm.id().isEmpty() || jvm.id().length() > LONGEST_ID) {
            throw new Refusal(400, "a JVM's id has 1 to " + LONGEST_ID + " characters");
        }
        Names.checked("the JVM's id", jvm.id());
        Names.checked("the application's name", jvm.application());
        Names.checked("the version", jvm.version());
        Names.checked("the instance", jvm.instance());
        if (jvm.main().length() > Names.MAX_LENGTH) {
            throw new Refusal(400, "the main class has more than " + Names.MAX_LENGTH + " letters");
        }
    }

    void report(ServerRequest request, ServerResponse response) {
        UriQuery query = request.query();
        String id =
                Query.text(query, "id")
                        .orElseThrow(() -> new Refusal(400, "which measurement? write id=ID"));
        State state = state(Query.text(query, "state").orElse(""));
        String message = line(Query.text(query, "message").orElse(""));
        List<String> said =
                query.contains("said")
                        ? query.all("said").stream()
                                .limit(MOST_LINES)
                                .map(CollectorExchange::line)
                                .toList()
                        : List.of();
        boolean goOn = measurements.report(id, state, message, Seen.of(said, profile(request)));
        Answer.text(response, 200, TEXT, goOn ? "go on" : "end");
    }

    private byte[] profile(ServerRequest request) {
        if (!request.content().hasEntity()) {
            return new byte[0];
        }
        try (Bodies.Body body = bodies.read(request)) {
            if (body.bytes().length > Seen.MOST_BYTES) {
                throw new Refusal(
                        413, "a measurement may have " + Seen.MOST_BYTES + " bytes, packed");
            }
            return body.bytes();
        }
    }

    private static State state(String written) {
        return switch (written) {
            case "running" -> State.RUNNING;
            case "ended" -> State.ENDED;
            case "failed" -> State.FAILED;
            default -> throw new Refusal(400, "state is one of running, ended and failed");
        };
    }

    private static String line(String text) {
        String one = text.replaceAll("\\p{Cntrl}+", " ").strip();
        return one.length() <= LONGEST_LINE ? one : one.substring(0, LONGEST_LINE) + "…";
    }
}
