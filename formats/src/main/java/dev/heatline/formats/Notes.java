package dev.heatline.formats;

import dev.heatline.model.Column;
import dev.heatline.model.Profile;
import dev.heatline.model.Provenance;
import dev.heatline.model.Resource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
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
        return notes;
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
                    case FROM -> provenance = times(Long.parseLong(field[2]), untilNanos());
                    case UNTIL -> provenance = times(fromNanos(), Long.parseLong(field[2]));
                    default -> {
                        // A note of a later version.
                    }
                }
            } catch (ArrayIndexOutOfBoundsException | IllegalArgumentException e) {
                throw new FormatException("the note " + String.join(" ", field) + " is damaged");
            }
        }

        Notes notes() {
            return new Notes(consumerLabel, Map.copyOf(resources), provenance);
        }

        private static Resource resource(String[] field) {
            long perUnit = Long.parseLong(field[5]);
            if (perUnit <= 0) {
                throw new IllegalArgumentException();
            }
            return new Resource(
                    field[2], field[3], Resource.Kind.valueOf(field[4]), perUnit, field[6]);
        }

        private Provenance times(long from, long until) {
            return new Provenance(provenance.facts(), provenance.counts(), from, until);
        }

        private long fromNanos() {
            return provenance.fromNanos();
        }

        private long untilNanos() {
            return provenance.untilNanos();
        }
    }
}
