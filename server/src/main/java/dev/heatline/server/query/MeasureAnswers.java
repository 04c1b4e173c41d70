package dev.heatline.server.query;

import dev.heatline.model.NearNames;
import dev.heatline.model.Profile;
import dev.heatline.model.Resource;
import dev.heatline.model.Survival;
import dev.heatline.report.Report;
import dev.heatline.report.ReportOptions;
import dev.heatline.report.View;
import dev.heatline.server.measure.Measurement;
import dev.heatline.server.measure.Measurements;
import dev.heatline.server.measure.RegionsJson;
import dev.heatline.wire.CallOrder;
import dev.heatline.wire.CallRequest;
import dev.heatline.wire.FollowedJvm;
import dev.heatline.wire.RegionSnapshot;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import tools.jackson.core.JsonGenerator;

/**
 * Calls that are measured exactly while somebody looks: {@code /jvms}, {@code /measurements} and
 * {@code /measurement}.
 */
final class MeasureAnswers {

    /** What can be asked for. */
    static final Set<String> ORDER =
            Set.of(
                    "jvm",
                    "root",
                    "region",
                    "seconds",
                    "timing",
                    "scheme",
                    "alloc",
                    "survival",
                    "include",
                    "exclude",
                    "budget");

    /** What is said of calls below roots: a region knows nothing but how long its own took. */
    private static final List<String> OF_ROOTS =
            List.of("timing", "scheme", "alloc", "survival", "exclude", "budget");

    /** What a tree may be about, whether or not there is something of it yet. */
    private static final Set<String> RESOURCES =
            Set.of(
                    Resource.ELAPSED.name(),
                    Resource.CALLS.name(),
                    Resource.COUNTED_ONLY.name(),
                    "measured",
                    "running",
                    "allocations",
                    "allocated",
                    Survival.LIVE.name(),
                    Survival.LIVE_BYTES.name(),
                    Survival.UNDECIDED.name(),
                    Survival.TRACKED.name());

    private static final int USUAL_ROWS = 200;
    private static final int MOST_ROWS = 2_000;
    private static final int LONGEST_PATHS = 100_000;
    private static final int MOST_JVMS = 1_000;

    private static final int USUAL_SECONDS = 30;
    private static final int MOST_ROOTS = 20;
    private static final int USUAL_PERCENT = 10;
    private static final int MOST_PERCENT = 100;

    private final Measurements measurements;

    MeasureAnswers(Measurements measurements) {
        this.measurements = measurements;
    }

    /** The JVMs of an application whose calls could be measured now. */
    byte[] jvms(Params params) {
        List<FollowedJvm> all = measurements.jvms(application(params));
        List<FollowedJvm> shown = all.subList(0, Math.min(MOST_JVMS, all.size()));
        return Json.object(
                json -> {
                    json.writeNumberProperty("found", all.size());
                    json.writeNumberProperty("leftOut", all.size() - shown.size());
                    json.writeName("rows").writeStartArray();
                    for (FollowedJvm jvm : shown) {
                        json.writeStartObject();
                        jvm(json, jvm);
                        json.writeStringProperty("main", jvm.main());
                        json.writeNumberProperty("pid", jvm.pid());
                        json.writeEndObject();
                    }
                    json.writeEndArray();
                });
    }

    private static String application(Params params) {
        return params.require("app", "NAME; /api/v1/applications lists them");
    }

    private static void jvm(JsonGenerator json, FollowedJvm jvm) {
        json.writeStringProperty("jvm", jvm.id());
        json.writeStringProperty("app", jvm.application());
        json.writeStringProperty("version", jvm.version());
        json.writeStringProperty("instance", jvm.instance());
    }

    /** The measurements of an application, the newest first. */
    byte[] measurements(Params params) {
        List<Measurement> all = measurements.of(application(params));
        return Json.object(
                json -> {
                    json.writeName("rows").writeStartArray();
                    for (Measurement each : all) {
                        json.writeStartObject();
                        row(json, each);
                        json.writeEndObject();
                    }
                    json.writeEndArray();
                });
    }

    /** One of them, with the largest of what it has seen so far. */
    byte[] measurement(Params params) {
        int limit = params.number("limit", USUAL_ROWS, 1, MOST_ROWS);
        Optional<String> resource = params.one("resource");
        resource.ifPresent(MeasureAnswers::check);
        Measurement found = measurements.find(id(params));
        return Json.object(
                json -> {
                    row(json, found);
                    Json.strings(json, "said", found.seen().remarks());
                    found.seen()
                            .profile()
                            .filter(profile -> !profile.columns().isEmpty())
                            .ifPresent(profile -> tree(json, profile, resource, limit));
                    found.seen().regions().ifPresent(regions -> times(json, regions));
                });
    }

    private static void check(String resource) {
        if (!RESOURCES.contains(resource)) {
            throw QueryException.badRequest(
                    "no resource "
                            + Params.shortened(resource)
                            + NearNames.suggest(Params.shortened(resource), RESOURCES));
        }
    }

    private static String id(Params params) {
        return params.require("id", "ID; /api/v1/measurements lists them");
    }

    private static void tree(
            JsonGenerator json, Profile profile, Optional<String> wanted, int limit) {
        List<String> resources =
                profile.columns().stream().map(column -> column.resource().name()).toList();
        Json.strings(json, "resources", resources);
        // Nothing may be made yet, and calls may take less than can be told from what measuring
        // takes.
        String resource =
                wanted.flatMap(profile::column)
                        .or(() -> profile.column(Resource.ELAPSED.name()))
                        .or(profile::mainColumn)
                        .orElseThrow()
                        .resource()
                        .name();
        Cut cut =
                Cut.of(
                        profile,
                        TreeAnswers.weights(profile, resource),
                        List.of(),
                        new Cut.Bounds(limit, Integer.MAX_VALUE, LONGEST_PATHS));
        Report report =
                View.XTREE.of(
                        cut.profile(),
                        ReportOptions.builder()
                                .resource(resource)
                                .foldLines(true)
                                .limit(0)
                                .build());
        StringWriter text = new StringWriter();
        try {
            report.json(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        json.writeName("tree").writeRawValue(text.toString());
    }

    private static void times(JsonGenerator json, RegionSnapshot regions) {
        json.writeObjectPropertyStart("times");
        RegionsJson.write(json, regions);
        json.writeEndObject();
    }

    private static void row(JsonGenerator json, Measurement measurement) {
        json.writeStringProperty("id", measurement.order().id());
        jvm(json, measurement.jvm());
        Json.strings(json, "roots", measurement.order().request().roots());
        Json.strings(json, "regions", measurement.order().request().regions());
        json.writeNumberProperty("seconds", measurement.order().seconds());
        json.writeStringProperty("state", measurement.state().name().toLowerCase(Locale.ROOT));
        json.writeStringProperty("message", measurement.message());
        json.writeStringProperty("created", measurement.created().toString());
        measurement.from().ifPresent(it -> json.writeStringProperty("from", it.toString()));
        measurement.until().ifPresent(it -> json.writeStringProperty("until", it.toString()));
    }

    /** Asks for one. */
    byte[] order(Params params) {
        int seconds = params.number("seconds", USUAL_SECONDS, 1, CallOrder.MOST_SECONDS);
        String jvm = params.require("jvm", "ID; /api/v1/jvms lists them");
        return one(measurements.order(jvm, request(params), seconds));
    }

    private static CallRequest request(Params params) {
        List<String> roots = params.given("root");
        List<String> regions = params.given("region");
        boolean isEither = roots.isEmpty() != regions.isEmpty();
        if (!isEither || roots.size() + regions.size() > MOST_ROOTS) {
            throw QueryException.badRequest(
                    "write 1 to "
                            + MOST_ROOTS
                            + " methods as root=Class::method, or as region=Class::method where only"
                            + " the times of the method itself are wanted, and not both");
        }
        if (!regions.isEmpty()) {
            refuse(params, OF_ROOTS);
            return CallRequest.builder().regions(regions).build();
        }
        return CallRequest.builder()
                .roots(roots)
                .eager(word(params, "scheme", "lazy", "eager"))
                .sampled(word(params, "timing", "exact", "sampled"))
                .allocations(params.flag("alloc"))
                .survival(params.flag("survival"))
                .includes(params.given("include"))
                .excludes(params.given("exclude"))
                .budget(params.number("budget", USUAL_PERCENT, 1, MOST_PERCENT) / 100.0)
                .build();
    }

    private static void refuse(Params params, List<String> names) {
        for (String name : names) {
            if (!params.given(name).isEmpty()) {
                throw QueryException.badRequest(
                        name + " is for root=, not for region=: leave it out");
            }
        }
    }

    /** Whether the second of two words was written. */
    private static boolean word(Params params, String name, String usual, String other) {
        return params.word(name, usual, List.of(usual, other)).equals(other);
    }

    /** Asks for its end. */
    byte[] end(Params params) {
        return one(measurements.end(id(params)));
    }

    private static byte[] one(Measurement measurement) {
        return Json.object(json -> row(json, measurement));
    }
}
