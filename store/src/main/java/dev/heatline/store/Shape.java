package dev.heatline.store;

import dev.heatline.model.Column;
import dev.heatline.model.Profile;
import dev.heatline.model.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What the profiles of an execution have in common, minute after minute: all of a profile that is
 * text but not a consumer.
 *
 * @param facts of the provenance
 * @param counts names of the provenance's counts
 */
record Shape(
        String consumerLabel,
        List<Resource> resources,
        SortedMap<String, SortedSet<String>> facts,
        List<String> counts) {

    static Shape of(Profile profile) {
        return new Shape(
                profile.consumerLabel(),
                profile.columns().stream().map(Column::resource).toList(),
                profile.provenance().facts(),
                List.copyOf(profile.provenance().counts().keySet()));
    }

    /** How many characters it has; names of resources are few. */
    long textLength() {
        long length = counts.stream().mapToLong(String::length).sum();
        for (Map.Entry<String, SortedSet<String>> fact : facts.entrySet()) {
            length += fact.getKey().length();
            length += fact.getValue().stream().mapToLong(String::length).sum();
        }
        return length;
    }

    void write(Output out) {
        out.text(consumerLabel).number(resources.size());
        for (Resource resource : resources) {
            out.text(resource.name())
                    .text(resource.unit())
                    .text(resource.kind().name())
                    .number(resource.perUnit())
                    .text(resource.occurrences());
        }
        out.number(facts.size());
        facts.forEach((name, values) -> out.text(name).texts(values));
        out.texts(counts);
    }

    static Shape read(Input in) {
        String consumerLabel = in.text();
        List<Resource> resources = new ArrayList<>();
        for (int left = in.count(); left > 0; left--) {
            resources.add(
                    new Resource(
                            in.text(),
                            in.text(),
                            Resource.Kind.valueOf(in.text()),
                            in.number(),
                            in.text()));
        }
        SortedMap<String, SortedSet<String>> facts = new TreeMap<>();
        for (int left = in.count(); left > 0; left--) {
            facts.put(in.text(), new TreeSet<>(in.texts()));
        }
        return new Shape(consumerLabel, resources, facts, in.texts());
    }
}
