package dev.heatline.report;

import dev.heatline.model.Column;
import dev.heatline.model.Provenance;
import dev.heatline.model.Resource;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.core.JsonGenerator;

/**
 * What stands above every report: what is shown, how much there is of it, and how far to trust it.
 *
 * @param view the name of the view
 * @param subject what the view shows, in a few words
 * @param remarks what a reader of this view has to know besides, one statement each
 */
record Head(
        String view,
        String subject,
        Measurement measured,
        ReportOptions options,
        List<String> remarks) {

    Head(String view, String subject, Measurement measured, ReportOptions options) {
        this(view, subject, measured, options, List.of());
    }

    /** The same above another resource of the Profile. */
    Head of(Resource resource) {
        Measurement other = Measurement.of(measured.profile(), resource.name());
        return new Head(view, subject, other, options, remarks);
    }

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT)
                    .withZone(ZoneOffset.UTC);

    /** Counts that lines of their own speak of in their own words. */
    private static final Set<String> TOLD =
            Set.of(
                    Provenance.LOST,
                    Provenance.UNDECODABLE,
                    Provenance.TRUNCATED,
                    Provenance.MERGED,
                    Provenance.AMBIGUOUS,
                    Provenance.PENDING,
                    Provenance.STEAL_MICROS,
                    Provenance.CORRECTED_MICROS,
                    Provenance.LOCKS_TRACED_MICROS,
                    Provenance.RUN_QUEUE_MICROS,
                    Provenance.THROTTLED_MICROS);

    /** As many as people read; a merged profile has them of every measurement. */
    private static final int ROOTS_SHOWN = 3;

    /** Before the name of the occurrences, the count of those lost where they are no samples. */
    private static final String LOST_OF = Provenance.LOST + ' ';

    /**
     * Facts of lock traces: how many classes leave locks unseen, and how many are still changed.
     */
    private static final List<String> CLASSES =
            List.of("classes not traced", "classes not restored");

    /** The file or application, for the title of a page. */
    String title() {
        if (!options.title().isEmpty()) {
            return options.title();
        }
        String application = application();
        return application.isEmpty() ? "profile" : application;
    }

    /** The first line: view, resource and total. */
    String summary() {
        return view
                + ": "
                + subject
                + "; "
                + VisibleText.of(measured.resource().name())
                + ", total "
                + total();
    }

    /** All there is of the resource, with its unit; before and now in a comparison. */
    String total() {
        String current = measured.scale().formatWithUnit(measured.total());
        return measured.baseline()
                .map(before -> measured.scale().formatWithUnit(before.total()) + " -> " + current)
                .orElse(current);
    }

    /** Everything else that is known, one statement a line. */
    List<String> lines() {
        Stream<String> samples =
                measured.baseline().isPresent()
                        ? Stream.of(baselineLine(), currentLine(), bothLine())
                        : Stream.of(samplesLine());
        Provenance provenance = measured.profile().provenance();
        Stream<String> origin =
                Stream.of(
                        countedOnlyLine(),
                        truncationLine(),
                        originLine(),
                        CpusHad.line(provenance),
                        CpusHad.warning(provenance));
        return Stream.of(samples, origin, rootsAlone().stream(), remarks.stream())
                .flatMap(lines -> lines)
                .filter(line -> !line.isEmpty())
                .map(VisibleText::of)
                .toList();
    }

    /** Where calls were measured exactly: what their roots take without that, of a few. */
    private List<String> rootsAlone() {
        if (measured.resource().isSampled()) {
            return List.of();
        }
        SortedSet<String> all =
                measured.profile()
                        .provenance()
                        .facts()
                        .getOrDefault(Provenance.ROOTS_ALONE, Collections.emptySortedSet());
        List<String> lines = new ArrayList<>(all.stream().limit(ROOTS_SHOWN).toList());
        int more = all.size() - lines.size();
        if (more > 0) {
            boolean isMost = all.size() == Provenance.MOST_ROOTS_ALONE;
            lines.add(
                    "and "
                            + (isMost ? "at least " : "")
                            + more
                            + " more such times of roots alone");
        }
        return lines;
    }

    /** "x of y samples", how they were taken and what was lost. */
    private String samplesLine() {
        List<String> parts = new ArrayList<>();
        if (measured.counted()) {
            parts.add(
                    grouped(measured.totalOccurrences())
                            + " of "
                            + grouped(recorded())
                            + ' '
                            + measured.resource().occurrences());
        }
        addTaking(parts);
        return String.join(", ", parts);
    }

    /** How the samples were taken, what is missing, and where they are from. */
    private void addTaking(List<String> parts) {
        String interval = measured.profile().provenance().fact(Provenance.INTERVAL);
        if (countsSamples() && !interval.isEmpty()) {
            parts.add("one every " + interval);
        }
        addMissing(parts);
        parts.add(threads());
    }

    private void addMissing(List<String> parts) {
        if (lost() != 0) {
            parts.add(grouped(lost()) + ' ' + Provenance.LOST);
        }
        addCount(parts, Provenance.UNDECODABLE);
        measured.profile().provenance().counts().keySet().stream()
                .filter(name -> !TOLD.contains(name) && !name.startsWith(LOST_OF))
                .forEach(name -> addCount(parts, name));
        for (String what : CLASSES) {
            String classes = measured.profile().provenance().fact(what);
            if (!classes.isEmpty()) {
                parts.add(classes + ' ' + what);
            }
        }
    }

    private String baselineLine() {
        return side("baseline", measured.baseline(), measured.baselineOccurrences());
    }

    private String currentLine() {
        return side("current", measured.column(), measured.occurrences());
    }

    /** Both sides of a comparison in the same words, so that they can be compared by eye. */
    private String side(String name, Optional<Column> values, Optional<Column> occurrences) {
        String total = measured.scale().formatWithUnit(values.map(Column::total).orElse(0L));
        return name
                + ": "
                + total
                + (measured.resource().isOccurrences()
                        ? ""
                        : occurrences
                                .map(
                                        seen ->
                                                " in "
                                                        + grouped(seen.total())
                                                        + ' '
                                                        + measured.resource().occurrences())
                                .orElse(""));
    }

    /** What is missing is counted over both sides of a comparison. */
    private String bothLine() {
        List<String> parts = new ArrayList<>();
        addTaking(parts);
        return "both: " + String.join(", ", parts);
    }

    /** What was taken, whether or not it could be decoded, and what should have been. */
    private long recorded() {
        long taken =
                options.recorded()
                        .getOrDefault(
                                measured.resource().occurrences(), measured.totalOccurrences());
        return measured.baseline().isPresent() ? taken : taken + lost();
    }

    /**
     * How many occurrences of the resource shown were due and are missing. Losses of other
     * resources say nothing about this one. What could not be decoded is not lost: it is in the
     * total, without a stack.
     */
    private long lost() {
        Provenance provenance = measured.profile().provenance();
        return provenance.count(LOST_OF + measured.resource().occurrences())
                + (countsSamples() ? provenance.count(Provenance.LOST) : 0);
    }

    /** Whether the resource rests on the samples that interval and losses are about. */
    private boolean countsSamples() {
        return measured.resource().occurrences().equals(Resource.SAMPLES.name());
    }

    private String threads() {
        int threads = measured.threads();
        return switch (threads) {
            case 0 -> "threads not recorded";
            case 1 -> "thread " + measured.rootName();
            default -> grouped(threads) + " threads";
        };
    }

    private void addCount(List<String> parts, String name) {
        long count = measured.profile().provenance().count(name);
        if (count != 0) {
            parts.add(grouped(count) + ' ' + name);
        }
    }

    private String countedOnlyLine() {
        return measured.countedOnly()
                .map(
                        counted ->
                                grouped(counted.total())
                                        + " calls counted only, which have "
                                        + Field.UNKNOWN
                                        + " for their time, or "
                                        + Field.AT_LEAST
                                        + " where others were timed: what they took is in who"
                                        + " called them")
                .orElse("");
    }

    private String truncationLine() {
        Provenance provenance = measured.profile().provenance();
        if (provenance.count(Provenance.TRUNCATED) == 0) {
            return "";
        }
        List<String> parts = new ArrayList<>();
        addCount(parts, Provenance.MERGED);
        addCount(parts, Provenance.AMBIGUOUS);
        addCount(parts, Provenance.PENDING);
        // The counts are over all events, of which the report shows one kind.
        long kinds =
                measured.profile().columns().stream()
                        .filter(column -> column.resource().isOccurrences())
                        .count();
        return grouped(provenance.count(Provenance.TRUNCATED))
                + (kinds > 1 ? " stacks of all events truncated: " : " stacks truncated: ")
                + (parts.isEmpty() ? "kept apart" : String.join(", ", parts));
    }

    /** Application, collector and the time covered. */
    private String originLine() {
        Provenance provenance = measured.profile().provenance();
        return Stream.of(application(), provenance.fact(Provenance.COLLECTOR), timeCovered())
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(", "));
    }

    private String application() {
        Provenance provenance = measured.profile().provenance();
        return Stream.of(Provenance.APPLICATION, Provenance.VERSION, Provenance.INSTANCE)
                .map(provenance::fact)
                .filter(fact -> !fact.isEmpty())
                .collect(Collectors.joining(" "));
    }

    private String timeCovered() {
        Provenance provenance = measured.profile().provenance();
        if (provenance.from().isEmpty() || provenance.until().isEmpty()) {
            return "";
        }
        Instant from = provenance.from().get();
        Duration covered = Duration.between(from, provenance.until().get());
        return TIME.format(from) + " UTC + " + covered.toSeconds() + " s";
    }

    static String grouped(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /** Writes the head as properties of the open object. */
    void json(JsonGenerator out) {
        Resource resource = measured.resource();
        out.writeStringProperty("view", view);
        out.writeStringProperty("consumer", measured.profile().consumerLabel());
        if (measured.counted()) {
            out.writeStringProperty("occurrences", resource.occurrences());
        }
        out.writeName("resource").writeStartObject();
        out.writeStringProperty("name", resource.name());
        out.writeStringProperty("unit", resource.unit());
        out.writeEndObject();
        out.writeNumberProperty("total", measured.exact(measured.total()));
        if (measured.counted()) {
            out.writeNumberProperty("totalCalls", measured.totalOccurrences());
            out.writeNumberProperty("recordedCalls", recorded());
        }
        measured.baseline()
                .ifPresent(
                        before ->
                                out.writeNumberProperty(
                                        "baselineTotal", measured.exact(before.total())));
        measured.baselineOccurrences()
                .ifPresent(before -> out.writeNumberProperty("baselineCalls", before.total()));
        provenanceJson(out, measured.profile().provenance());
        if (!remarks.isEmpty()) {
            out.writeName("remarks").writeStartArray();
            remarks.forEach(out::writeString);
            out.writeEndArray();
        }
    }

    private static void provenanceJson(JsonGenerator out, Provenance provenance) {
        out.writeName("provenance").writeStartObject();
        provenance
                .facts()
                .forEach((name, _) -> out.writeStringProperty(name, provenance.fact(name)));
        provenance.from().ifPresent(time -> out.writeStringProperty("from", time.toString()));
        provenance.until().ifPresent(time -> out.writeStringProperty("until", time.toString()));
        out.writeName("counts").writeStartObject();
        provenance.counts().forEach(out::writeNumberProperty);
        out.writeEndObject();
        out.writeEndObject();
    }
}
