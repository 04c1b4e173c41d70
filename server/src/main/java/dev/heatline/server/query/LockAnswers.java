package dev.heatline.server.query;

import dev.heatline.model.ContentionAspect;
import dev.heatline.model.ContentionBuilder;
import dev.heatline.model.Contentions;
import dev.heatline.model.Profile;
import dev.heatline.model.Resource;
import dev.heatline.report.LocksReport;
import dev.heatline.report.ReportOptions;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Who kept whom waiting: {@code /locks}. */
final class LockAnswers {
    private static final int USUAL_ROWS = 300;

    /** A row has whole call chains in it, so that few rows can be a long answer. */
    private static final int MOST_ROWS = 5_000;

    private static final List<Resource> TIMES =
            List.of(ContentionBuilder.BLOCKED, ContentionBuilder.WAITED, ContentionBuilder.HELD);

    private static final String HOW_TO_TRACE =
            "no locks were traced in this selection: heatline locks PID -o locks.heat && heatline"
                    + " push locks.heat --app NAME traces those of a JVM for a while, heatline collect"
                    + " --locks all the time";

    private final Questions questions;

    LockAnswers(Questions questions) {
        this.questions = questions;
    }

    /** Contentions by aspects in any order, all of them or those of one row. */
    byte[] locks(Params params) {
        List<ContentionAspect> by =
                params.one("by").map(ContentionAspect::parse).orElse(ContentionAspect.USUAL);
        Resource time = time(params);
        int limit = params.number("limit", USUAL_ROWS, 1, MOST_ROWS);
        double prune = params.one("prune").map(LockAnswers::share).orElse(0.0);
        Chosen chosen = chosen(params, time);
        Profile whole = chosen.snapshot().profile();
        Profile part = ContentionPart.of(chosen, time.equals(ContentionBuilder.HELD));
        if (!Contentions.areIn(part)) {
            return nothing(chosen, by, time);
        }
        Profile arranged = ArrangedRow.below(Contentions.by(part, by), by, params.given("node"));
        if (arranged.column(time.name()).isEmpty()) {
            return nothing(chosen, by, time);
        }
        ReportOptions options =
                ReportOptions.builder()
                        .title(chosen.scope().application())
                        .resource(time.name())
                        .aspects(by)
                        .prune(prune)
                        .limit(limit)
                        .recorded(Contentions.by(whole, List.of(ContentionAspect.KIND)))
                        .build();
        return Json.object(
                json -> {
                    Json.question(json, chosen);
                    if (!chosen.filter().equals(Filter.NONE)) {
                        Json.strings(json, "remarks", List.of(whatIsChosen(time)));
                    }
                },
                LocksReport.ofArranged(arranged, options));
    }

    private static Resource time(Params params) {
        List<String> names = TIMES.stream().map(Resource::name).toList();
        String name = params.word("resource", ContentionBuilder.BLOCKED.name(), names);
        return TIMES.get(names.indexOf(name));
    }

    private static double share(String written) {
        boolean hundredths = written.endsWith("%");
        try {
            double number =
                    Double.parseDouble(
                            hundredths ? written.substring(0, written.length() - 1) : written);
            return hundredths ? number / 100 : number;
        } catch (NumberFormatException e) {
            throw QueryException.badRequest(
                    "prune " + Params.shortened(written) + " is no share: write 0.01 or 1%");
        }
    }

    /** Of the threads that are meant; root and task are for {@link ContentionPart}. */
    private Chosen chosen(Params params, Resource time) {
        Filter filter = questions.filter(params);
        Filter threads = new Filter(filter.thread(), Optional.empty(), List.of());
        Chosen found = questions.ofAllResources(questions.scope(params), threads, params);
        return new Chosen(
                found.scope(), filter, Optional.of(time.name()), found.snapshot(), found.part());
    }

    private static String whatIsChosen(Resource time) {
        return "thread, root and task choose by the thread that "
                + (time.equals(ContentionBuilder.HELD)
                        ? "held the lock"
                        : "had to wait, not by the owner");
    }

    /** Nothing to show is no fault of who asks: the answer says why. */
    private static byte[] nothing(Chosen chosen, List<ContentionAspect> by, Resource time) {
        List<String> labels = by.stream().map(ContentionAspect::label).toList();
        return Json.object(
                json -> {
                    Json.question(json, chosen);
                    Json.strings(json, "remarks", whyNothing(chosen, time).toList());
                    json.writeStringProperty("view", "locks");
                    json.writeStringProperty("consumer", String.join(", ", labels));
                    json.writeName("resource").writeStartObject();
                    json.writeStringProperty("name", time.name());
                    json.writeStringProperty("unit", time.unit());
                    json.writeEndObject();
                    json.writeNumberProperty("total", 0);
                    Json.provenance(json, chosen.profile().provenance());
                    Json.strings(json, "by", labels);
                    Json.strings(json, "rows", List.of());
                });
    }

    private static Stream<String> whyNothing(Chosen chosen, Resource time) {
        if (!Contentions.areIn(chosen.snapshot().profile())) {
            return Stream.of(HOW_TO_TRACE);
        }
        String nothing = "locks were traced, but there is nothing " + time.name() + " in this part";
        return chosen.filter().equals(Filter.NONE)
                ? Stream.of(nothing)
                : Stream.of(nothing, whatIsChosen(time));
    }
}
