package dev.heatline.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.model.Execution;
import dev.heatline.store.Store;
import java.io.ByteArrayOutputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PyroscopeIngestTest {
    private static final String TIMES = "&from=1700000000&until=1700000010";

    @TempDir private Path directory;

    @Test
    void theNameSaysWhatItIsOf() {
        String name = encoded("my.shop.cpu{version=\"1.2\",instance=a,zone=eu,__session_id__=9}");
        try (Running running = new Running(directory)) {
            int status =
                    running.post("/ingest?name=" + name + TIMES + "&sampleRate=100", "a;b 3\n")
                            .statusCode();

            assertThat(status).isEqualTo(200);
            Store.Seen seen = running.store().executions().getFirst();
            assertThat(seen.execution())
                    .isEqualTo(
                            new Execution(
                                    "my.shop", "1.2", "a", new TreeMap<>(Map.of("zone", "eu"))));
            assertThat(seen.first().getEpochSecond()).isEqualTo(1_700_000_000);
            assertThat(running.stored("my.shop").requireColumn("samples").total()).isEqualTo(3);
            assertThat(running.stored("my.shop").requireColumn("cpu").total())
                    .isEqualTo(30_000_000);
        }
    }

    @Test
    void unitsNameTheResource() {
        try (Running running = new Running(directory)) {
            for (String units : new String[] {"objects", "bytes", "lock_nanoseconds"}) {
                String path = "/ingest?name=a&units=" + units + "&format=groups" + TIMES;
                assertThat(running.post(path, "[main tid=1];a;b 3\n").statusCode()).isEqualTo(200);
            }
            assertThat(running.stored("a").columns())
                    .extracting(column -> column.resource().name() + " " + column.total())
                    .containsExactlyInAnyOrder("allocations 3", "allocated 3", "blocked 3");
        }
    }

    @Test
    void aLineIsASample() {
        try (Running running = new Running(directory)) {
            running.post("/ingest?name=a&format=lines" + TIMES, "a;b\na;c\n\na;b\n");

            assertThat(running.stored("a").requireColumn("samples").total()).isEqualTo(3);
        }
    }

    @Test
    void aPartOfAFormIsTheProfile() {
        byte[] pprof = Running.written(Running.profile("main;A 5\n"), "pprof");
        try (Running running = new Running(directory)) {
            int status =
                    running.post(
                                    "/ingest?name=a&format=pprof" + TIMES,
                                    form(
                                            "profile",
                                            pprof,
                                            "sample_type_config",
                                            "{}".getBytes(StandardCharsets.UTF_8)),
                                    "Content-Type",
                                    "multipart/form-data; boundary=xyz")
                            .statusCode();

            assertThat(status).isEqualTo(200);
            assertThat(running.stored("a").requireColumn("samples").total()).isEqualTo(5);
        }
    }

    @Test
    void anotherBoundaryMakesNoOtherUpload() {
        byte[] pprof = Running.written(Running.profile("main;A 5\n"), "pprof");
        String path = "/ingest?name=a&format=pprof" + TIMES;
        try (Running running = new Running(directory)) {
            running.post(path, pprof);
            running.post(
                    path,
                    form("profile", pprof),
                    "Content-Type",
                    "multipart/form-data; boundary=\"xyz\"");

            assertThat(running.stored("a").requireColumn("samples").total()).isEqualTo(5);
        }
    }

    @Test
    void whatIsNotUnderstoodIsRefused() {
        try (Running running = new Running(directory)) {
            String[] form = {"Content-Type", "multipart/form-data; boundary=xyz"};
            String path = "/ingest?name=a&format=pprof" + TIMES;
            assertThat(running.post("/ingest?name=a&format=trie" + TIMES, "x").statusCode())
                    .isEqualTo(415);
            assertThat(running.post("/ingest?format=jfr" + TIMES, "x").statusCode()).isEqualTo(400);
            assertThat(running.post("/ingest?name=%7Ba%7D" + TIMES, "x 1").statusCode())
                    .isEqualTo(400);
            assertThat(running.post(path, "no form", form).statusCode()).isEqualTo(400);
            assertThat(running.post(path, form("other", new byte[9]), form).statusCode())
                    .isEqualTo(400);
            assertThat(
                            running.post(
                                            path,
                                            form(
                                                    "profile",
                                                    new byte[9],
                                                    "prev_profile",
                                                    new byte[9]),
                                            form)
                                    .statusCode())
                    .isEqualTo(415);
            assertThat(running.store().executions()).isEmpty();
        }
    }

    private static byte[] form(Object... namesAndContents) {
        ByteArrayOutputStream form = new ByteArrayOutputStream();
        for (int i = 0; i < namesAndContents.length; i += 2) {
            String head =
                    "--xyz\r\nContent-Disposition: form-data; name=\""
                            + namesAndContents[i]
                            + "\"; filename=\"x\"\r\nContent-Type: application/octet-stream\r\n\r\n";
            form.writeBytes(head.getBytes(StandardCharsets.US_ASCII));
            form.writeBytes((byte[]) namesAndContents[i + 1]);
            form.writeBytes("\r\n".getBytes(StandardCharsets.US_ASCII));
        }
        form.writeBytes("--xyz--\r\n".getBytes(StandardCharsets.US_ASCII));
        return form.toByteArray();
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
