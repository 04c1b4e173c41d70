package dev.heatline.server;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.heatline.formats.FormatException;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesPartialSuccess;
import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesServiceResponse;
import io.opentelemetry.proto.profiles.v1development.ProfilesData;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * {@code POST /v1development/profiles}: OpenTelemetry's export request over HTTP, in protobuf. Each
 * resource in it is an execution of its own. Those that cannot be stored are reported as a partial
 * success, unless that is all of them.
 */
final class OtlpIngest implements Handler {
    private static final String PROTOBUF = "application/x-protobuf";

    private final Bodies bodies;
    private final Intake intake;

    OtlpIngest(Bodies bodies, Intake intake) {
        this.bodies = bodies;
        this.intake = intake;
    }

    @Override
    public void handle(ServerRequest request, ServerResponse response) {
        try {
            ExportProfilesServiceResponse answer = export(request);
            response.header(HeaderNames.CONTENT_TYPE, PROTOBUF);
            response.status(200).send(answer.toByteArray());
        } catch (Refusal e) {
            refuse(response, e);
        }
    }

    private ExportProfilesServiceResponse export(ServerRequest request) {
        String type = request.headers().first(HeaderNames.CONTENT_TYPE).orElse("");
        if (!type.toLowerCase(Locale.ROOT).startsWith(PROTOBUF)) {
            throw new Refusal(415, "OTLP is read as " + PROTOBUF);
        }
        try (Bodies.Body body = bodies.read(request)) {
            return export(request, body.bytes());
        }
    }

    /** In one turn: what it unpacks to is in memory until its last part is stored. */
    private ExportProfilesServiceResponse export(ServerRequest request, byte[] content) {
        return intake.takeParts(
                parts -> {
                    byte[] plain = Content.unpacked(content, parts.options());
                    Map<Claim, ProfilesData> groups = OtlpGroups.of(parse(plain));
                    if (groups.isEmpty()) {
                        throw new Refusal(400, "the request has no profiles");
                    }
                    return store(request, parts, groups);
                });
    }

    /** One that cannot be stored keeps none of the others out. */
    private static ExportProfilesServiceResponse store(
            ServerRequest request, Intake.Parts parts, Map<Claim, ProfilesData> groups) {
        List<Refusal> refusals = new ArrayList<>();
        groups.forEach(
                (claim, data) -> {
                    try {
                        store(request, parts, claim, data);
                    } catch (Refusal e) {
                        refusals.add(e);
                    }
                });
        // The sender repeats all of it later, which is harmless to what is stored.
        for (Refusal refusal : refusals) {
            if (refusal.retryAfterSeconds() > 0) {
                throw refusal;
            }
        }
        return refusals.isEmpty()
                ? ExportProfilesServiceResponse.getDefaultInstance()
                : partial(refusals.size(), groups.size(), refusals.getLast());
    }

    private static ProfilesData parse(byte[] content) {
        try {
            return ProfilesData.parseFrom(content);
        } catch (InvalidProtocolBufferException e) {
            throw new FormatException("the upload: damaged OTLP data: " + e.getMessage());
        }
    }

    private static void store(
            ServerRequest request, Intake.Parts parts, Claim claim, ProfilesData data) {
        byte[] own = data.toByteArray();
        parts.take(
                UploadId.ofPart(request, claim, own),
                claim,
                "otlp",
                own.length,
                options -> Content.read("upload.otlp", own, options));
    }

    private static ExportProfilesServiceResponse partial(int refused, int all, Refusal last) {
        if (refused == all) {
            throw last;
        }
        return ExportProfilesServiceResponse.newBuilder()
                .setPartialSuccess(
                        ExportProfilesPartialSuccess.newBuilder()
                                .setRejectedProfiles(refused)
                                .setErrorMessage(last.reason()))
                .build();
    }

    /** In the form that OTLP wants: a google.rpc.Status with a code and a message. */
    private static void refuse(ServerResponse response, Refusal refusal) {
        ByteArrayOutputStream status = new ByteArrayOutputStream();
        try {
            CodedOutputStream out = CodedOutputStream.newInstance(status);
            out.writeInt32(1, code(refusal.status()));
            out.writeString(2, refusal.reason());
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (refusal.retryAfterSeconds() > 0) {
            response.header(HeaderNames.RETRY_AFTER, Integer.toString(refusal.retryAfterSeconds()));
        }
        response.header(HeaderNames.CONTENT_TYPE, PROTOBUF);
        response.status(refusal.status()).send(status.toByteArray());
    }

    /** gRPC's code: FAILED_PRECONDITION, RESOURCE_EXHAUSTED, UNAVAILABLE, INVALID_ARGUMENT. */
    private static int code(int status) {
        return switch (status) {
            case 409 -> 9;
            case 413, 429 -> 8;
            case 503 -> 14;
            default -> 3;
        };
    }
}
