package dev.heatline.cli;

import dev.heatline.model.Accuracy;
import dev.heatline.model.Accuracy.Consistency;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import tools.jackson.core.JsonGenerator;

/** How well more than two profiles agree, as text and as JSON. */
sealed interface OverlapAnswer {

    String text();

    void writeTo(JsonGenerator json);

    /** Each of several profiles with the average of all. */
    record OfMany(List<Path> files, String resource, double threshold, Consistency consistency)
            implements OverlapAnswer {

        @Override
        public String text() {
            StringBuilder text = new StringBuilder("overlap  coverage\n");
            for (int i = 0; i < files.size(); i++) {
                append(
                        text,
                        consistency.overlaps().get(i),
                        consistency.coverages().get(i),
                        files.get(i).toString());
            }
            append(
                    text,
                    consistency.medianOverlap(),
                    consistency.medianCoverage(),
                    "median, each with the average of all (" + resource + ")");
            return text.toString();
        }

        private static void append(StringBuilder text, double overlap, double coverage, String of) {
            text.append(String.format(Locale.ROOT, "%7.4f   %7.4f  %s\n", overlap, coverage, of));
        }

        @Override
        public void writeTo(JsonGenerator json) {
            json.writeStartObject();
            json.writeStringProperty("resource", resource);
            json.writeNumberProperty("threshold", threshold);
            json.writeNumberProperty("medianOverlap", consistency.medianOverlap());
            json.writeNumberProperty("medianCoverage", consistency.medianCoverage());
            json.writeArrayPropertyStart("profiles");
            for (int i = 0; i < files.size(); i++) {
                json.writeStartObject();
                json.writeStringProperty("file", files.get(i).toString());
                json.writeNumberProperty("overlap", consistency.overlaps().get(i));
                json.writeNumberProperty("coverage", consistency.coverages().get(i));
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        }
    }

    /** The averages of several sets with each other. */
    record OfSets(
            List<List<Path>> sets, String resource, double threshold, Accuracy.Agreement agreement)
            implements OverlapAnswer {

        @Override
        public String text() {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < sets.size(); i++) {
                text.append("set ").append(i + 1).append(": ").append(names(sets.get(i)));
                text.append('\n');
            }
            appendMatrix(text, "degree of overlap of the averages", agreement.overlap());
            appendMatrix(
                    text,
                    "hot-edge coverage: how much of the column's hot edges the row covers",
                    agreement.coverage());
            return text.toString();
        }

        private static String names(List<Path> files) {
            return String.join(" ", files.stream().map(Path::toString).toList());
        }

        private static void appendMatrix(
                StringBuilder text, String title, List<List<Double>> matrix) {
            text.append('\n').append(title).append('\n').append("     ");
            for (int column = 1; column <= matrix.size(); column++) {
                text.append(String.format(Locale.ROOT, " %7d", column));
            }
            text.append('\n');
            for (int row = 0; row < matrix.size(); row++) {
                text.append(String.format(Locale.ROOT, "%5d", row + 1));
                for (double value : matrix.get(row)) {
                    text.append(String.format(Locale.ROOT, " %7.4f", value));
                }
                text.append('\n');
            }
        }

        @Override
        public void writeTo(JsonGenerator json) {
            json.writeStartObject();
            json.writeStringProperty("resource", resource);
            json.writeNumberProperty("threshold", threshold);
            json.writeArrayPropertyStart("sets");
            for (List<Path> set : sets) {
                json.writeStartArray();
                set.forEach(file -> json.writeString(file.toString()));
                json.writeEndArray();
            }
            json.writeEndArray();
            writeMatrix(json, "overlap", agreement.overlap());
            writeMatrix(json, "hotEdgeCoverage", agreement.coverage());
            json.writeEndObject();
        }

        private static void writeMatrix(
                JsonGenerator json, String name, List<List<Double>> matrix) {
            json.writeArrayPropertyStart(name);
            for (List<Double> row : matrix) {
                json.writeStartArray();
                row.forEach(json::writeNumber);
                json.writeEndArray();
            }
            json.writeEndArray();
        }
    }
}
