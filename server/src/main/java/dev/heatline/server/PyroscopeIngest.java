package dev.heatline.server;

import dev.heatline.formats.ReadOptions;
import dev.heatline.model.Profile;
import io.helidon.common.uri.UriQuery;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** {@code POST /ingest}, as Pyroscope's agents send. */
final class PyroscopeIngest implements Handler {
    private static final long DEFAULT_SAMPLE_RATE = 100;

    /** A moment has 10 digits in seconds for the next centuries, and 3 more for each finer unit. */
    private static final long MAX_SECONDS = 99_999_999_999L;

    private final Bodies bodies;
    private final Intake intake;

    PyroscopeIngest(Bodies bodies, Intake intake) {
        this.bodies = bodies;
        this.intake = intake;
    }

    @Override
    public void handle(ServerRequest request, ServerResponse response) {
        UriQuery query = request.query();
        SeriesName name =
                SeriesName.parse(
                        Query.text(query, "name")
                                .orElseThrow(
                                        () -> new Refusal(400, "the parameter name is missing")));
        Claim claim =
                new Claim(
                        Optional.of(name.application()),
                        name.version(),
                        name.instance(),
                        name.freeLabels(),
                        moment(query, "from"),
                        moment(query, "until"));
        String format = Query.text(query, "format").orElse("folded");
        try (Bodies.Body body = bodies.read(request)) {
            byte[] content = profile(request, format, body.bytes());
            intake.take(
                    UploadId.of(request, claim, content),
                    claim,
                    Content.format(content),
                    body.bytes().length,
                    reader(format, content, folded(query, name)));
        }
        response.status(200).send();
    }

    /** The part of the request that is the profile. */
    private static byte[] profile(ServerRequest request, String format, byte[] body) {
        String type = request.headers().first(HeaderNames.CONTENT_TYPE).orElse("");
        if (!Multipart.isType(type)) {
            return body;
        }
        Map<String, byte[]> parts = Multipart.parts(type, body);
        if (parts.containsKey("prev_profile")) {
            throw new Refusal(415, "profiles that go on counting from a previous one are not read");
        }
        byte[] profile = parts.getOrDefault("profile", parts.get(format));
        if (profile == null) {
            throw new Refusal(400, "the multipart content has no part " + format + " or profile");
        }
        return profile;
    }

    private static Intake.Reader reader(String format, byte[] content, Folded folded) {
        return switch (format) {
            case "jfr", "pprof", "speedscope" ->
                    options -> Content.read(Content.UPLOAD, content, options);
            case "folded", "collapsed", "groups" -> options -> stacks(content, folded, options);
            case "lines" -> options -> stacks(Folded.counted(content), folded, options);
            default ->
                    throw new Refusal(
                            415, "format may be jfr, pprof, folded, groups, lines or speedscope");
        };
    }

    private static Profile stacks(byte[] content, Folded folded, ReadOptions options) {
        return folded.named(Content.read("upload.collapsed", content, options));
    }

    private static Folded folded(UriQuery query, SeriesName name) {
        long rate =
                Query.number(query, "sampleRate").filter(r -> r > 0).orElse(DEFAULT_SAMPLE_RATE);
        return new Folded(Query.text(query, "units").orElse("samples"), name.kind(), rate);
    }

    /** Agents send seconds, but some send finer units. */
    private static Optional<Instant> moment(UriQuery query, String name) {
        return Query.number(query, name).map(PyroscopeIngest::moment);
    }

    private static Instant moment(long number) {
        if (number <= MAX_SECONDS) {
            return Instant.ofEpochSecond(number);
        }
        long perSecond = 1_000;
        while (number / perSecond > MAX_SECONDS) {
            perSecond *= 1_000;
        }
        return Instant.ofEpochSecond(
                number / perSecond, number % perSecond * (1_000_000_000L / perSecond));
    }
}
