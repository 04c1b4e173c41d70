package dev.heatline.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.heatline.server.measure.Measurements;
import dev.heatline.server.measure.Seen;
import dev.heatline.wire.CallOrder;
import dev.heatline.wire.CallReport;
import dev.heatline.wire.CallRequest;
import dev.heatline.wire.FollowedJvm;
import dev.heatline.wire.Naming;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * What collectors say that is no profile to keep: {@code POST /api/v1/collectors}, which JVMs they
 * follow, answered by what is wanted of those; {@code POST /api/v1/collectors/measurements}, how a
 * measurement goes, answered by whether it is to go on.
 */
final class CollectorExchange {
    private static final String TEXT = "text/plain; charset=utf-8";

    /** Some thousand JVMs. */
    private static final int MOST_BYTES = 1 << 20;

    private static final int LONGEST_ID = 128;

    private final Bodies bodies;
    private final Measurements measurements;

    CollectorExchange(Bodies bodies, Measurements measurements) {
        this.bodies = bodies;
        this.measurements = measurements;
    }

    void jvms(ServerRequest request, ServerResponse response) {
        try (Bodies.Body body = bodies.read(request)) {
            requireAtMost(MOST_BYTES, body);
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
        if (jvm.main().length() > Naming.MAX_LENGTH) {
            throw new Refusal(
                    400, "the main class has more than " + Naming.MAX_LENGTH + " letters");
        }
    }

    void report(ServerRequest request, ServerResponse response) {
        try (Bodies.Body body = bodies.read(request)) {
            requireAtMost(Seen.MOST_BYTES, body);
            CallReport report = CallReport.read(body.bytes());
            String answer = CallReport.END;
            // What nobody wants is not worth reading.
            Optional<CallRequest> wanted = measurements.wanted(report.id());
            if (wanted.isPresent()) {
                byte[] measured = CallReport.measured(body.bytes());
                Seen seen =
                        wanted.get().isOfRegions()
                                ? Seen.ofRegions(report.remarks(), measured)
                                : Seen.of(report.remarks(), measured);
                seen.profile().ifPresent(ProfileCheck::check);
                answer = measurements.report(report, seen);
            }
            Answer.text(response, 200, TEXT, answer);
        } catch (IOException e) {
            throw new Refusal(400, String.valueOf(e.getMessage()));
        }
    }

    private static void requireAtMost(int bytes, Bodies.Body body) {
        if (body.bytes().length > bytes) {
            throw new Refusal(413, "no more than " + bytes + " bytes are taken here");
        }
    }
}
