package dev.heatline.server.query;

import dev.heatline.model.Provenance;
import dev.heatline.store.Store;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import tools.jackson.core.JsonGenerator;

/**
 * When the budget of a collector left something out: {@code /reductions}. Merged profiles only know
 * what it was, so the time is read piece by piece.
 */
final class ReductionAnswers {
    private static final String SEPARATOR = ", ";

    private final Questions questions;
    private final Pieces.Cutter cutter;

    ReductionAnswers(Questions questions, Pieces.Cutter cutter) {
        this.questions = questions;
        this.cutter = cutter;
    }

    /** Neighbouring pieces as one. */
    private record Stretch(Instant from, Instant until) {}

    byte[] reductions(Params params) {
        Chosen chosen = questions.ofAllResources(params);
        Pieces pieces = cutter.cut(chosen, params);
        SortedMap<String, List<Stretch>> found = new TreeMap<>();
        if (!of(chosen.profile().provenance()).isEmpty()) {
            for (Store.Bucket piece : pieces.ofAll(chosen.metrics().resource())) {
                for (String reduction : of(pieces.read(piece).whole().provenance())) {
                    add(found.computeIfAbsent(reduction, _ -> new ArrayList<>()), piece);
                }
            }
        }
        return Json.object(
                json -> {
                    Json.question(json, chosen);
                    json.writeStringProperty("view", "reductions");
                    json.writeName("rows").writeStartArray();
                    found.forEach((name, all) -> all.forEach(it -> row(json, name, it)));
                    json.writeEndArray();
                });
    }

    /** What was left out in some profile, each once. */
    private static SortedSet<String> of(Provenance provenance) {
        String reduced = provenance.fact(Provenance.REDUCED);
        return reduced.isEmpty()
                ? new TreeSet<>()
                : new TreeSet<>(List.of(reduced.split(SEPARATOR, -1)));
    }

    private static void add(List<Stretch> stretches, Store.Bucket piece) {
        boolean goesOn = !stretches.isEmpty() && stretches.getLast().until().equals(piece.from());
        Instant from = goesOn ? stretches.removeLast().from() : piece.from();
        stretches.add(new Stretch(from, piece.until()));
    }

    private static void row(JsonGenerator json, String reduction, Stretch stretch) {
        json.writeStartObject();
        json.writeStringProperty("reduction", reduction);
        json.writeStringProperty("from", stretch.from().toString());
        json.writeStringProperty("until", stretch.until().toString());
        json.writeEndObject();
    }
}
