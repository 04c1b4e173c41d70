package dev.heatline.formats;

import dev.heatline.model.Column;
import dev.heatline.model.ModelException;
import dev.heatline.model.Moments;
import dev.heatline.model.Profile;
import dev.heatline.model.Provenance;
import dev.heatline.model.Resource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What foreign formats have no fields for, as lines of text for their comments: what consumers are
 * called, what exactly the resources are, and the provenance. A file that has them is one of ours.
 *
 * @param consumerLabel what consumers are called
 * @param resources by name
 * @param provenance how the profile came about
 */
record Notes(String consumerLabel, Map<String, Resource> resources, Provenance provenance) {
    private static final String MARK = "heatline";
    private static final String CONSUMER = "consumer";
    private static final String RESOURCE = "resource";
    private static final String FACT = "fact";
    private static final String COUNT = "count";
    private static final String FROM = "from";
    private static final String UNTIL = "until";
    private static final String MOMENTS = "moments";

    static List<String> write(Profile profile) {
        List<String> notes = new ArrayList<>();
        notes.add(note(CONSUMER, profile.consumerLabel()));
        for (Column column : profile.columns()) {
            Resource resource = column.resource();
            notes.add(
                    note(
                            RESOURCE,
                            resource.name(),
                            resource.unit(),
                            resource.kind().name(),
                            Long.toString(resource.perUnit()),
                            resource.occurrences()));
        }
        Provenance provenance = profile.provenance();
        for (Map.Entry<String, SortedSet<String>> fact : provenance.facts().entrySet()) {
            for (String value : fact.getValue()) {
                notes.add(note(FACT, fact.getKey(), value));
            }
        }
        provenance
                .counts()
                .forEach((name, amount) -> notes.add(note(COUNT, name, Long.toString(amount))));
        if (provenance.fromNanos() != Provenance.UNKNOWN_TIME) {
            notes.add(note(FROM, Long.toString(provenance.fromNanos())));
        }
        if (provenance.untilNanos() != Provenance.UNKNOWN_TIME) {
            notes.add(note(UNTIL, Long.toString(provenance.untilNanos())));
        }
        provenance.moments().forEach((resource, when) -> notes.add(moments(resource, when)));
        return notes;
    }

    private static String moments(String resource, Moments when) {
        return note(
                MOMENTS,
                resource,
                Long.toString(when.seconds()),
                Long.toString(when.first()),
                IntStream.range(0, when.size())
                        .mapToObj(stretch -> Long.toString(when.amount(stretch)))
                        .collect(Collectors.joining(" ")));
    }

    /**
     * The notes among these lines, or null if there are none.
     *
     * @throws FormatException if a note is damaged
     */
    static @Nullable Notes read(Iterable<String> lines) {
        Reader reader = new Reader();
        for (String line : lines) {
            String[] field = line.split(String.valueOf(Escapes.FIELD), -1);
            if (field.length > 1 && field[0].equals(MARK)) {
                for (int i = 0; i < field.length; i++) {
                    field[i] = Escapes.unescape(field[i]);
                }
                reader.add(field);
            }
        }
        return reader.any ? reader.notes() : null;
    }

    private static String note(String... fields) {
        StringBuilder note = new StringBuilder(MARK);
        for (String field : fields) {
            note.append(Escapes.FIELD).append(Escapes.escape(field, ""));
        }
        return note.toString();
    }

    private static final class Reader {
        private final Map<String, Resource> resources = new HashMap<>();
        private String consumerLabel = "method";
        private Provenance provenance = Provenance.NONE;
        private boolean any;

        void add(String[] field) {
            any = true;
            try {
                switch (field[1]) {
                    case CONSUMER -> consumerLabel = field[2];
                    case RESOURCE -> resources.put(field[2], resource(field));
                    case FACT -> provenance = provenance.withFact(field[2], field[3]);
                    case COUNT ->
                            provenance = provenance.withCount(field[2], Long.parseLong(field[3]));
                    case FROM ->
                            provenance =
                                    provenance.withTime(
                                            Long.parseLong(field[2]), provenance.untilNanos());
                    case UNTIL ->
                            provenance =
                                    provenance.withTime(
                                            provenance.fromNanos(), Long.parseLong(field[2]));
                    case MOMENTS -> addMoments(field);
                    default -> {
                        // A note of a later version.
                    }
                }
            } catch (ArrayIndexOutOfBoundsException | IllegalArgumentException | ModelException e) {
                String note = String.join(" ", field);
                String shown = note.length() > 200 ? note.substring(0, 200) + "…" : note;
                throw new FormatException("the note " + shown + " is damaged");
            }
        }

        Notes notes() {
            return new Notes(consumerLabel, Map.copyOf(resources), provenance);
        }

        private void addMoments(String[] field) {
            String[] amounts = field[5].split(" ", Moments.MOST + 1);
            if (amounts.length > Moments.MOST || provenance.moments().containsKey(field[2])) {
                throw new IllegalArgumentException();
            }
            Moments when =
                    Moments.of(
                            Long.parseLong(field[3]),
                            Long.parseLong(field[4]),
                            Arrays.stream(amounts).mapToLong(Long::parseLong).toArray());
            provenance = provenance.plusMoments(field[2], when);
        }

        private static Resource resource(String[] field) {
            long perUnit = Long.parseLong(field[5]);
            if (perUnit <= 0) {
                throw new IllegalArgumentException();
            }
            return new Resource(
                    field[2], field[3], Resource.Kind.valueOf(field[4]), perUnit, field[6]);
        }
    }
}
