package dev.heatline.server.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.model.Execution;
import dev.heatline.model.Provenance;
import dev.heatline.model.TaskDefinition;
import dev.heatline.server.measure.Measurements;
import dev.heatline.server.measure.Seen;
import dev.heatline.wire.CallReport;
import dev.heatline.wire.CallRequest;
import dev.heatline.wire.FollowedJvm;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Holds the description of the API and what is really answered together. */
class OpenApiTest {
    /** Stands for the id of a measurement. */
    private static final String MEASURED = "{measured}";

    @TempDir Path directory;
    private final Map<String, Object> document = document();
    private int stores;

    private static Map<String, Object> document() {
        try (InputStream in = QueryService.class.getResourceAsStream("../openapi.json")) {
            assertThat(in).isNotNull();
            return JsonText.object(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void everyRouteIsDescribedWithItsParameters() {
        try (QueryServer server = QueryServer.start(directory)) {
            for (QueryService.Route route : server.service().routes()) {
                Set<String> expected = new TreeSet<>(route.parameters());
                if (route.path().contains("{app}")) {
                    expected.add("app");
                }
                assertThat(parameters(operation(route))).as(route.toString()).isEqualTo(expected);
            }
        }
    }

    @Test
    void everyPathOfTheServerIsDescribedAndNoOther() {
        Set<String> paths =
                new TreeSet<>(
                        Set.of(
                                "/api/v1/profiles",
                                "/api/v1/collectors",
                                "/api/v1/collectors/measurements",
                                "/ingest",
                                "/v1development/profiles",
                                "/ready",
                                "/metrics",
                                "/openapi"));
        try (QueryServer server = QueryServer.start(directory)) {
            server.service().routes().forEach(route -> paths.add("/api/v1" + route.path()));
        }
        assertThat(at(document, "paths").keySet()).isEqualTo(paths);
    }

    @Test
    void everyOperationSaysWhoMayAskAndWhatStrangersAreTold() {
        assertThat(at(document, "components", "securitySchemes")).containsKeys("bearer", "basic");
        assertThat(document.get("security"))
                .isEqualTo(
                        List.of(Map.of(), Map.of("bearer", List.of()), Map.of("basic", List.of())));
        for (String path : at(document, "paths").keySet()) {
            boolean open = Set.of("/ready", "/openapi").contains(path);
            for (String method : at(document, "paths", path).keySet()) {
                Map<String, Object> operation = at(document, "paths", path, method);
                assertThat(operation.get("security")).as(path).isEqualTo(open ? List.of() : null);
                Map<String, Object> responses = at(operation, "responses");
                assertThat(responses).as(path).containsKeys("403", "421", "429");
                assertThat(responses.containsKey("401")).as(path).isEqualTo(!open);
                responses
                        .keySet()
                        .forEach(
                                status ->
                                        assertThat(at(operation, "responses", status))
                                                .containsKey("description"));
            }
        }
    }

    @TestFactory
    List<DynamicTest> answersHaveTheFieldsThatAreDescribed() {
        return List.of(
                described("GET", "/applications", ""),
                described("GET", "/applications/{app}/versions", ""),
                described("GET", "/applications/{app}/instances", ""),
                described("GET", "/resources", "?app=shop"),
                described("GET", "/flamegraph", "?app=shop&version=2&maxNodes=100"),
                described("GET", "/flamegraph", "?app=shop&version=2&baseline=1&maxNodes=100"),
                described("GET", "/tree", "?app=shop&lines=true&limit=100"),
                described("GET", "/methods", "?app=shop&thread=database&from=now-1000w"),
                described("GET", "/method", "?app=shop&name=Page::get&instance=a&limit=1"),
                described("GET", "/classes", "?app=shop&class=org.h2.mvstore.Page"),
                described("GET", "/classes", "?app=shop&class=org.h2.mvstore.Page&baseline=1"),
                described("GET", "/classes", "?app=shop&class=org.h2.mvstore.Page&lines=true"),
                described(
                        "GET", "/method", "?app=shop&name=Page::get&baseline=1&resource=allocated"),
                described("GET", "/threads", "?app=shop&root=Page::get&label=zone:eu"),
                described("GET", "/locks", "?app=shop&thread=worker&limit=2&prune=1%25"),
                described("GET", "/locks", "?app=shop&by=lock,duration&resource=held"),
                described("GET", "/locks", "?app=shop&until=2020-01-01"),
                described("GET", "/timeline", "?app=shop&until=now-0s"),
                described("GET", "/history", "?app=shop&name=Page::get&pieces=3"),
                described("GET", "/history", "?app=shop&name=Page::get&until=2020-01-01"),
                described("GET", "/states", "?app=shop&thread=database&pieces=3"),
                described("GET", "/states", "?app=shop&until=2020-01-01"),
                described("GET", "/reductions", "?app=shop&pieces=3"),
                described("GET", "/compare", "?app=shop&version=2&baseline=1&limit=5"),
                described("GET", "/compare", "?app=shop&baseline=1&until=2020-01-01"),
                described("PUT", "/tasks", "?app=shop&task=sql%3Dprefix:org.h2."),
                described("GET", "/tasks", "?app=shop&task=xml%3Dregex:xml"),
                described("GET", "/tasks", "?app=shop"),
                described("DELETE", "/tasks", "?app=shop&task=sql"),
                described("GET", "/source", "?class=dev.heatline.shop.Shop"),
                described("GET", "/source", "?class=no.Such"),
                described("GET", "/jvms", "?app=shop"),
                described("GET", "/measurements", "?app=shop"),
                described("GET", "/measurement", "?id=" + MEASURED),
                described("GET", "/measurement", "?id=none"),
                described("POST", "/measurements", "?jvm=none&root=A::b"),
                described("POST", "/measurements", "?jvm=j&root=A::b"),
                described("DELETE", "/measurements", "?id=" + MEASURED),
                described("GET", "/methods", "?app=none"),
                described("GET", "/methods", "?app=shop&sort=x"));
    }

    private DynamicTest described(String method, String path, String query) {
        return DynamicTest.dynamicTest(
                method + " " + path + query,
                () -> {
                    try (QueryServer server = filled()) {
                        String asked = query.replace(MEASURED, measured(server));
                        HttpResponse<byte[]> response =
                                server.ask(method, path.replace("{app}", "shop") + asked);
                        Map<String, Object> answered =
                                at(
                                        operation(method, path),
                                        "responses",
                                        String.valueOf(response.statusCode()),
                                        "content",
                                        "application/json",
                                        "schema");
                        check(
                                "answer",
                                answered,
                                JsonText.object(
                                        new String(response.body(), StandardCharsets.UTF_8)));
                    }
                });
    }

    private QueryServer filled() {
        QueryServer server =
                QueryServer.start(
                        directory.resolve("store" + stores++),
                        QueryServer.EXAMPLES.resolve("shop/src/main/java"));
        server.upload("shop", "1", "a", QueryServer.example("workload.heat"));
        server.upload(
                new Execution("shop", "2", "b", new TreeMap<>(Map.of("zone", "eu"))),
                QueryServer.example("workload-more-queries.heat"));
        Provenance reduced = Provenance.NONE.withFact(Provenance.REDUCED, "no allocations");
        server.upload("shop", "2", "b", LocksTest.CONTENTIONS.withProvenance(reduced));
        server.store().saveTask("shop", TaskDefinition.parse("sql=prefix:org."));
        return server;
    }

    private static String measured(QueryServer server) throws IOException {
        Measurements measurements = server.measurements();
        measurements.exchange(
                Stream.of("i", "j")
                        .map(id -> new FollowedJvm(id, "shop", "1", "a", "Main", 1))
                        .toList());
        CallRequest request = CallRequest.builder().roots(List.of("A::b")).build();
        String id = measurements.order("i", request, 1).order().id();
        byte[] heat = Files.readAllBytes(QueryServer.EXAMPLES.resolve("workload.heat"));
        CallReport report =
                new CallReport(id, CallReport.State.RUNNING, "", List.of("a remark"), 1, 2);
        measurements.report(report, Seen.of(report.remarks(), heat));
        return id;
    }

    private Map<String, Object> operation(QueryService.Route route) {
        return operation(route.method().text(), route.path());
    }

    private Map<String, Object> operation(String method, String path) {
        return at(document, "paths", "/api/v1" + path, method.toLowerCase(Locale.ROOT));
    }

    private Set<String> parameters(Map<String, Object> operation) {
        Set<String> names = new TreeSet<>();
        for (Map<String, Object> parameter : JsonText.objects(operation.get("parameters"))) {
            names.add((String) at(parameter).get("name"));
        }
        return names;
    }

    /** What a path through objects leads to, references followed. */
    private Map<String, Object> at(Map<String, Object> from, String... names) {
        Map<String, Object> found = from;
        for (String name : names) {
            assertThat(found).containsKey(name);
            found = at(JsonText.object(found.get(name)));
        }
        return found.get("$ref") instanceof String reference
                ? at(document, reference.substring(2).split("/", -1))
                : found;
    }

    private void check(String where, Map<String, Object> schema, @Nullable Object value) {
        List<?> types =
                schema.get("type") instanceof List<?> several
                        ? several
                        : List.of(String.valueOf(schema.get("type")));
        assertThat(types).as(where).anyMatch(type -> isOf(String.valueOf(type), value));
        if (value instanceof List<?> list) {
            for (int i = 0; i < list.size(); i++) {
                check(where + "[" + i + "]", at(schema, "items"), list.get(i));
            }
        }
        if (types.contains("object")) {
            checkObject(where, schema, JsonText.object(value));
        }
    }

    private void checkObject(String where, Map<String, Object> schema, Map<String, Object> value) {
        Map<String, Object> known =
                schema.containsKey("properties") ? at(schema, "properties") : Map.of();
        if (schema.containsKey("required")) {
            for (Object name : JsonText.list(schema, "required")) {
                assertThat(value).as(where).containsKey(String.valueOf(name));
            }
        }
        value.forEach(
                (name, inner) -> {
                    if (known.containsKey(name)) {
                        check(where + "." + name, at(known, name), inner);
                    } else {
                        assertThat(schema.get("additionalProperties"))
                                .as(where + "." + name)
                                .isNotEqualTo(false);
                        check(where + "." + name, at(schema, "additionalProperties"), inner);
                    }
                });
    }

    private static boolean isOf(String type, @Nullable Object value) {
        return switch (type) {
            case "object" -> value instanceof Map;
            case "array" -> value instanceof List;
            case "string" -> value instanceof String;
            case "number" -> value instanceof Double;
            case "integer" -> value instanceof Double number && number == Math.rint(number);
            case "boolean" -> value instanceof Boolean;
            case "null" -> value == null;
            default -> false;
        };
    }
}
