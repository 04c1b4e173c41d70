package dev.heatline.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.model.Profile;
import dev.heatline.model.Provenance;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StatusTest {
    private static final Pattern SERIES =
            Pattern.compile("heatline_\\w+(\\{\\w+=\"[^\"]*\"(,\\w+=\"[^\"]*\")*})? [-+.\\deE]+");

    @TempDir private Path directory;

    @Test
    void metricsAreWhatPrometheusReads() {
        try (Running running = new Running(directory)) {
            running.post("/api/v1/profiles?app=shop" + Running.TIMES, "main;A 7\n");
            HttpResponse<String> answer = running.get("/metrics");

            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.headers().firstValue("Content-Type").orElse(""))
                    .startsWith("text/plain; version=0.0.4");
            assertThat(answer.body().lines().filter(line -> !line.startsWith("#")))
                    .allMatch(SERIES.asMatchPredicate());
            assertThat(running.metric("heatline_samples_total")).isEqualTo(7);
            assertThat(running.metric("heatline_applications")).isEqualTo(1);
            assertThat(running.metric("heatline_decode_seconds_count")).isEqualTo(1);
            assertThat(running.metric("heatline_heap_bytes")).isPositive();
            assertThat(
                            running.metric(
                                    "heatline_request_seconds_count{"
                                            + "route=\"/api/v1/profiles\",status=\"201\"}"))
                    .isEqualTo(1);
        }
    }

    @Test
    void whatCollectorsLeftOutIsCounted() {
        Profile profile = Running.profile("main;A 7\n");
        Provenance reduced = profile.provenance().withFact(Provenance.REDUCED, "no allocations");
        try (Running running = new Running(directory)) {
            running.post(
                    "/api/v1/profiles", Running.written(profile.withProvenance(reduced), "heat"));
            running.post("/api/v1/profiles", Running.written(profile, "heat"));

            assertThat(
                            running.metric(
                                    "heatline_profiles_reduced_total{reduction=\"no allocations\"}"))
                    .isEqualTo(1);
        }
    }

    @Test
    void oddCountsKeepNoneOfOursOut() {
        Profile profile = Running.profile("main;A 7\n");
        Provenance odd = profile.provenance();
        for (int i = 0; i < 100; i++) {
            odd = odd.plusCount("odd " + i, 1);
        }
        Provenance ours = profile.provenance().plusCount(Provenance.PROFILING_MICROS, 5);
        try (Running running = new Running(directory)) {
            for (Provenance provenance : List.of(odd, ours)) {
                running.post(
                        "/api/v1/profiles",
                        Running.written(profile.withProvenance(provenance), "heat"));
            }
            assertThat(running.get("/metrics").body().lines())
                    .filteredOn(line -> line.startsWith("heatline_provenance_total"))
                    .hasSize(65)
                    .contains("heatline_provenance_total{count=\"profiling cpu us\"} 5");
        }
    }

    @Test
    void whoeverAsksIsNotToldWhereTheStoreIs() {
        try (Running running = new Running(directory)) {
            running.store().close();
            HttpResponse<String> answer = running.get("/ready");

            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(answer.body())
                    .isEqualTo(
                            "{\"error\":\"the store does not answer; the server's log says why\"}\n");
        }
    }

    @Test
    void whatWasSentCanBeAskedFor() {
        try (Running running = new Running(directory)) {
            running.post("/api/v1/profiles?app=shop" + Running.TIMES, "main;A 7\n");

            assertThat(running.get("/api/v1/applications").body()).contains("shop");
            assertThat(running.get("/ready").body()).isEqualTo("{\"ready\":true}\n");
            assertThat(running.get("/openapi").body()).contains("/api/v1/profiles", "/ingest");
            HttpResponse<String> nothing = running.get("/nothing");
            assertThat(nothing.statusCode()).isEqualTo(404);
            assertThat(nothing.body()).isEqualTo("{\"error\":\"there is no GET /nothing\"}\n");
        }
    }
}
