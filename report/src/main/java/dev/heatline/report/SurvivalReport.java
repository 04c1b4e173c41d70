package dev.heatline.report;

import dev.heatline.model.Column;
import dev.heatline.model.Consumer;
import dev.heatline.model.Profile;
import dev.heatline.model.Resource;
import dev.heatline.model.Site;
import dev.heatline.model.Survival;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeSet;
import tools.jackson.core.JsonGenerator;

/**
 * Which objects are still alive, by class and below that by the line that made them. Objects that
 * are kept for good show as a class of ever more generations: each collection finds some that were
 * not there at the one before.
 */
final class SurvivalReport {
    private static final String INDENT = "  ";

    /** Objects of one class, or those of it that were made at one line. */
    private static final class Row {
        private final String type;
        private final String place;
        private long live;
        private long bytes;
        private long made;
        private long tracked;
        private long undecided;

        /** Collections survived, of all that are alive together. */
        private double survived;

        /** The numbers of collections that some have survived. */
        private final TreeSet<Integer> ages = new TreeSet<>();

        private final Map<String, Row> places = new HashMap<>();

        private Row(String type, String place) {
            this.type = type;
            this.place = place;
        }

        private void addLive(long objects, int collections) {
            live += objects;
            survived += (double) objects * collections;
            ages.add(collections);
        }

        private double age() {
            return live == 0 ? 0 : survived / live;
        }

        private String name() {
            return place.isEmpty() ? type : INDENT + place;
        }
    }

    private static final Comparator<Row> ORDER =
            Comparator.comparingLong((Row row) -> row.bytes)
                    .thenComparingLong(row -> row.live)
                    .thenComparingLong(row -> row.made)
                    .reversed()
                    .thenComparing(row -> row.type)
                    .thenComparing(row -> row.place);

    private SurvivalReport() {}

    static Report of(Profile profile, ReportOptions options) {
        boolean isAnyAlive = profile.column(Survival.LIVE_BYTES.name()).isPresent();
        Measurement measured =
                options.resource().isPresent() || !isAnyAlive
                        ? Measurement.of(profile, options)
                        : Measurement.of(profile, Survival.LIVE_BYTES.name());
        // Before the first collection, nobody knows of any.
        String subject =
                isAnyAlive
                        ? "objects that are still alive"
                        : "no objects are known to be still alive";
        Head head = new Head("survival", subject, measured, options, remarks());
        Hidden hidden = new Hidden(measured, options.prune());
        List<Row> rows = new ArrayList<>();
        for (Row type : types(profile)) {
            if (options.prune() == 0 || hidden.keeps(type.bytes)) {
                rows.add(type);
                type.places.values().stream().sorted(ORDER).forEach(rows::add);
            } else {
                hidden.add(1, type.bytes);
            }
        }
        return new TableReport<>(head, layout(profile), rows, hidden);
    }

    private static List<String> remarks() {
        return List.of(
                "live and undecided are estimated from the tracked; age: collections survived, on"
                        + " average; undecided: made after the last collection");
    }

    private static List<Row> types(Profile profile) {
        Map<String, Row> types = new HashMap<>();
        for (Column column : profile.columns()) {
            for (int i = 0; i < column.rows(); i++) {
                add(types, profile, column.resource(), column.node(i), column.value(i));
            }
        }
        types.values().removeIf(row -> row.tracked == 0);
        return types.values().stream().sorted(ORDER).toList();
    }

    private static void add(
            Map<String, Row> types, Profile profile, Resource resource, int node, long value) {
        OptionalInt collections = Survival.collections(consumer(profile, node));
        int made = collections.isPresent() ? profile.parent(node) : node;
        if (made == Profile.ROOT || !isOfObjects(resource)) {
            return;
        }
        String type = consumer(profile, made).display();
        int maker = profile.parent(made);
        int line = Site.line(profile.site(maker));
        String place = consumer(profile, maker).display() + (line > 0 ? ":" + line : "");
        Row ofType = types.computeIfAbsent(type, any -> new Row(type, ""));
        add(ofType, resource, value, collections);
        add(
                ofType.places.computeIfAbsent(place, any -> new Row(type, place)),
                resource,
                value,
                collections);
    }

    private static boolean isOfObjects(Resource resource) {
        return resource.name().equals("allocations")
                || resource.equals(Survival.LIVE)
                || resource.equals(Survival.LIVE_BYTES)
                || resource.equals(Survival.TRACKED)
                || resource.equals(Survival.UNDECIDED);
    }

    private static void add(Row row, Resource resource, long value, OptionalInt collections) {
        if (resource.equals(Survival.LIVE)) {
            row.addLive(value, collections.orElse(0));
        } else if (resource.equals(Survival.LIVE_BYTES)) {
            row.bytes += value;
        } else if (resource.equals(Survival.TRACKED)) {
            row.tracked += value;
        } else if (resource.equals(Survival.UNDECIDED)) {
            row.undecided += value;
        } else {
            row.made += value;
        }
    }

    private static Consumer consumer(Profile profile, int node) {
        return profile.consumerAt(profile.consumer(node));
    }

    private static TableReport.Layout<Row> layout(Profile profile) {
        long bytes = profile.column(Survival.LIVE_BYTES.name()).map(Column::total).orElse(0L);
        return new TableReport.Layout<>(
                "class",
                List.of(
                        new Field.Count<>("live", row -> row.live),
                        new Field.Amount<>(
                                "live", Scale.of(Survival.LIVE_BYTES, bytes), row -> row.bytes),
                        new Field.Count<>("generations", row -> row.ages.size()),
                        new Field.Figure<>(
                                "age", row -> String.format(Locale.ROOT, "%.1f", row.age())),
                        new Field.Count<>("undecided", row -> row.undecided),
                        new Field.Count<>("tracked", row -> row.tracked),
                        new Field.Count<>("allocations", row -> row.made)),
                "class, made by",
                Row::name,
                row -> false,
                SurvivalReport::json);
    }

    private static void json(JsonGenerator json, Row row) {
        json.writeStringProperty("class", row.type);
        if (!row.place.isEmpty()) {
            json.writeStringProperty("madeBy", row.place);
        }
        json.writeNumberProperty("live", row.live);
        json.writeNumberProperty("liveBytes", row.bytes);
        json.writeNumberProperty("generations", row.ages.size());
        json.writeNumberProperty("age", row.age());
        json.writeNumberProperty("undecided", row.undecided);
        json.writeNumberProperty("tracked", row.tracked);
        json.writeNumberProperty("allocations", row.made);
    }
}
