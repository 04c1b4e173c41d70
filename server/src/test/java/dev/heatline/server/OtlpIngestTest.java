package dev.heatline.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.model.Execution;
import dev.heatline.store.Store;
import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesServiceRequest;
import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesServiceResponse;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.profiles.v1development.Function;
import io.opentelemetry.proto.profiles.v1development.Line;
import io.opentelemetry.proto.profiles.v1development.Location;
import io.opentelemetry.proto.profiles.v1development.Profile;
import io.opentelemetry.proto.profiles.v1development.ProfilesDictionary;
import io.opentelemetry.proto.profiles.v1development.ResourceProfiles;
import io.opentelemetry.proto.profiles.v1development.Sample;
import io.opentelemetry.proto.profiles.v1development.ScopeProfiles;
import io.opentelemetry.proto.profiles.v1development.Stack;
import io.opentelemetry.proto.profiles.v1development.ValueType;
import io.opentelemetry.proto.resource.v1.Resource;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OtlpIngestTest {
    @TempDir private Path directory;

    @Test
    void resourcesBecomeExecutions() throws Exception {
        ExportProfilesServiceRequest request =
                request(
                        resource(
                                Map.of(
                                        "service.name", "shop",
                                        "service.version", "1.2",
                                        "service.instance.id", "a",
                                        "host.name", "web1",
                                        "telemetry.sdk.name", "opentelemetry"),
                                3),
                        resource(Map.of("service.name", "till"), 4));
        try (Running running = new Running(directory)) {
            HttpResponse<byte[]> answer = export(running, request.toByteArray());

            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.headers().firstValue("Content-Type"))
                    .hasValue("application/x-protobuf");
            assertThat(ExportProfilesServiceResponse.parseFrom(answer.body()))
                    .isEqualTo(ExportProfilesServiceResponse.getDefaultInstance());
            assertThat(running.store().executions())
                    .extracting(Store.Seen::execution)
                    .containsExactly(
                            new Execution(
                                    "shop", "1.2", "a", new TreeMap<>(Map.of("host.name", "web1"))),
                            new Execution("till", "", ""));
            assertThat(running.stored("shop").requireColumn("samples").total()).isEqualTo(3);
            assertThat(running.stored("till").requireColumn("samples").total()).isEqualTo(4);
        }
    }

    @Test
    void aRepeatIsHarmlessAndPackedContentIsRead() throws Exception {
        byte[] plain = request(resource(Map.of("service.name", "shop"), 3)).toByteArray();
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(plain);
        }
        try (Running running = new Running(directory)) {
            assertThat(export(running, plain).statusCode()).isEqualTo(200);
            assertThat(
                            export(running, packed.toByteArray(), "Content-Encoding", "gzip")
                                    .statusCode())
                    .isEqualTo(200);

            assertThat(running.stored("shop").requireColumn("samples").total()).isEqualTo(3);
        }
    }

    @Test
    void whatOurOwnWriterWritesIsRead() throws Exception {
        byte[] own = Running.written(Running.profile("main;A 5\n"), "otlp");
        try (Running running = new Running(directory)) {
            assertThat(export(running, own).statusCode()).isEqualTo(200);
            assertThat(running.stored("shop").requireColumn("samples").total()).isEqualTo(5);
        }
    }

    @Test
    void aPartThatNamesNoServiceIsReported() throws Exception {
        ExportProfilesServiceRequest request =
                request(resource(Map.of("service.name", "shop"), 3), resource(Map.of(), 4));
        try (Running running = new Running(directory)) {
            HttpResponse<byte[]> answer = export(running, request.toByteArray());

            assertThat(answer.statusCode()).isEqualTo(200);
            ExportProfilesServiceResponse response =
                    ExportProfilesServiceResponse.parseFrom(answer.body());
            assertThat(response.getPartialSuccess().getRejectedProfiles()).isEqualTo(1);
            assertThat(response.getPartialSuccess().getErrorMessage()).contains("application");
        }
    }

    @Test
    void oneServiceTooManyKeepsNoOtherOut() throws Exception {
        byte[] both =
                request(
                                resource(Map.of("service.name", "new"), 3),
                                resource(Map.of("service.name", "shop"), 4))
                        .toByteArray();
        try (Running running =
                new Running(
                        directory,
                        options -> options.withLimits(Limits.DEFAULT.withNames(1, 1_000)))) {
            running.post("/api/v1/profiles?app=shop" + Running.TIMES, "A 1\n");
            HttpResponse<byte[]> answer = export(running, both);

            assertThat(answer.statusCode()).isEqualTo(429);
            assertThat(answer.headers().firstValue("Retry-After")).isPresent();
            assertThat(running.stored("shop").requireColumn("samples").total()).isEqualTo(5);
            assertThat(export(running, both).statusCode()).isEqualTo(429);
            assertThat(running.stored("shop").requireColumn("samples").total()).isEqualTo(5);
        }
    }

    /** Their names have the same hash code. */
    @Test
    void servicesUnderOneUploadIdAreKeptApart() throws Exception {
        byte[] both =
                request(
                                resource(Map.of("service.name", "Aa"), 3),
                                resource(Map.of("service.name", "BB"), 4))
                        .toByteArray();
        try (Running running = new Running(directory)) {
            for (int i = 0; i < 2; i++) {
                assertThat(export(running, both, "Heatline-Upload-Id", "one").statusCode())
                        .isEqualTo(200);
                assertThat(running.storedSamples("Aa")).isEqualTo(3);
                assertThat(running.storedSamples("BB")).isEqualTo(4);
            }
        }
    }

    @Test
    void aRequestIsReadAndStoredInOneTurn() throws Exception {
        byte[] both =
                request(
                                resource(Map.of("service.name", "shop"), 3),
                                resource(Map.of("service.name", "till"), 4))
                        .toByteArray();
        try (Running running = new Running(directory)) {
            assertThat(export(running, both).statusCode()).isEqualTo(200);
            assertThat(running.metric("heatline_decode_seconds_count")).isEqualTo(1);
            assertThat(running.metric("heatline_uploads_total{outcome=\"stored\",format=\"otlp\"}"))
                    .isEqualTo(2);
        }
    }

    @Test
    void whatCannotBeReadIsRefusedInOtlpsForm() throws Exception {
        try (Running running = new Running(directory)) {
            HttpResponse<byte[]> damaged = export(running, new byte[] {10, 100, 1});
            assertThat(damaged.statusCode()).isEqualTo(422);
            assertThat(damaged.headers().firstValue("Content-Type"))
                    .hasValue("application/x-protobuf");
            assertThat(damaged.body()).startsWith(8, 3, 18);
            assertThat(export(running, request(resource(Map.of(), 1)).toByteArray()).statusCode())
                    .isEqualTo(400);
            assertThat(
                            running.post(
                                            "/v1development/profiles",
                                            "{}",
                                            "Content-Type",
                                            "application/json")
                                    .statusCode())
                    .isEqualTo(415);
        }
    }

    private static ExportProfilesServiceRequest request(ResourceProfiles... resources) {
        ProfilesDictionary dictionary =
                ProfilesDictionary.newBuilder()
                        .addStringTable("")
                        .addStringTable("samples")
                        .addStringTable("count")
                        .addStringTable("shop/Cart.total")
                        .addFunctionTable(Function.getDefaultInstance())
                        .addFunctionTable(Function.newBuilder().setNameStrindex(3))
                        .addLocationTable(Location.getDefaultInstance())
                        .addLocationTable(
                                Location.newBuilder()
                                        .addLines(Line.newBuilder().setFunctionIndex(1).setLine(7)))
                        .addStackTable(Stack.getDefaultInstance())
                        .addStackTable(Stack.newBuilder().addLocationIndices(1))
                        .build();
        ExportProfilesServiceRequest.Builder request =
                ExportProfilesServiceRequest.newBuilder().setDictionary(dictionary);
        for (ResourceProfiles resource : resources) {
            request.addResourceProfiles(resource);
        }
        return request.build();
    }

    private static ResourceProfiles resource(Map<String, String> attributes, long samples) {
        Resource.Builder resource = Resource.newBuilder();
        new TreeMap<>(attributes)
                .forEach(
                        (name, value) ->
                                resource.addAttributes(
                                        KeyValue.newBuilder()
                                                .setKey(name)
                                                .setValue(
                                                        AnyValue.newBuilder()
                                                                .setStringValue(value))));
        Profile profile =
                Profile.newBuilder()
                        .setSampleType(ValueType.newBuilder().setTypeStrindex(1).setUnitStrindex(2))
                        .setTimeUnixNano(1_700_000_000_000_000_000L)
                        .setDurationNano(60_000_000_000L)
                        .addSamples(Sample.newBuilder().setStackIndex(1).addValues(samples))
                        .build();
        return ResourceProfiles.newBuilder()
                .setResource(resource)
                .addScopeProfiles(ScopeProfiles.newBuilder().addProfiles(profile))
                .build();
    }

    private static HttpResponse<byte[]> export(Running running, byte[] body, String... headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(running.address() + "/v1development/profiles"))
                        .header("Content-Type", "application/x-protobuf")
                        .POST(BodyPublishers.ofByteArray(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(request.build(), BodyHandlers.ofByteArray());
        }
    }
}
