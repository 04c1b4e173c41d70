package dev.heatline.formats;

import dev.heatline.model.Column;
import dev.heatline.model.Consumer;
import dev.heatline.model.ConsumerType;
import dev.heatline.model.FrameKind;
import dev.heatline.model.Provenance;
import dev.heatline.model.Site;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.ArrayValue;
import io.opentelemetry.proto.common.v1.InstrumentationScope;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.profiles.v1development.Function;
import io.opentelemetry.proto.profiles.v1development.KeyValueAndUnit;
import io.opentelemetry.proto.profiles.v1development.Line;
import io.opentelemetry.proto.profiles.v1development.Link;
import io.opentelemetry.proto.profiles.v1development.Location;
import io.opentelemetry.proto.profiles.v1development.Mapping;
import io.opentelemetry.proto.profiles.v1development.Profile;
import io.opentelemetry.proto.profiles.v1development.ProfilesData;
import io.opentelemetry.proto.profiles.v1development.ProfilesDictionary;
import io.opentelemetry.proto.profiles.v1development.ResourceProfiles;
import io.opentelemetry.proto.profiles.v1development.Sample;
import io.opentelemetry.proto.profiles.v1development.ScopeProfiles;
import io.opentelemetry.proto.profiles.v1development.Stack;
import io.opentelemetry.proto.profiles.v1development.ValueType;
import io.opentelemetry.proto.resource.v1.Resource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Builds OTLP profiles. The first entry of every table of the dictionary is empty: 0 means that
 * there is nothing.
 */
final class OtlpWriter {
    private static final ConsumerText TEXT = ConsumerText.dotted(ConsumerType.METHOD);

    private final dev.heatline.model.Profile profile;
    private final ProfilesDictionary.Builder dictionary = ProfilesDictionary.newBuilder();
    private final Map<String, Integer> strings = new HashMap<>();
    private final Map<List<String>, Integer> attributes = new HashMap<>();
    private final int[] stackOf;
    private final DistinctFrames frames;

    OtlpWriter(dev.heatline.model.Profile profile) {
        this.profile = profile;
        this.stackOf = new int[profile.nodeCount()];
        this.frames = new DistinctFrames(profile);
        string("");
        dictionary
                .addMappingTable(Mapping.getDefaultInstance())
                .addLocationTable(Location.getDefaultInstance())
                .addFunctionTable(Function.getDefaultInstance())
                .addLinkTable(Link.getDefaultInstance())
                .addAttributeTable(KeyValueAndUnit.getDefaultInstance())
                .addStackTable(Stack.getDefaultInstance());
    }

    ProfilesData write() {
        frames();
        ScopeProfiles.Builder scope =
                ScopeProfiles.newBuilder()
                        .setScope(InstrumentationScope.newBuilder().setName("heatline"));
        for (Column column : profile.columns()) {
            scope.addProfiles(profile(column));
        }
        return ProfilesData.newBuilder()
                .addResourceProfiles(
                        ResourceProfiles.newBuilder()
                                .setResource(resource())
                                .addScopeProfiles(scope))
                .setDictionary(dictionary)
                .build();
    }

    private Resource resource() {
        Resource.Builder resource = Resource.newBuilder();
        OtlpNames.FACTS.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .filter(name -> profile.provenance().facts().containsKey(name.getValue()))
                .forEach(
                        name ->
                                resource.addAttributes(
                                        KeyValue.newBuilder()
                                                .setKey(name.getKey())
                                                .setValue(
                                                        text(
                                                                profile.provenance()
                                                                        .fact(name.getValue())))));
        ArrayValue.Builder notes = ArrayValue.newBuilder();
        for (String note : Notes.write(profile)) {
            notes.addValues(AnyValue.newBuilder().setStringValue(note));
        }
        return resource.addAttributes(
                        KeyValue.newBuilder()
                                .setKey(OtlpNames.NOTES)
                                .setValue(AnyValue.newBuilder().setArrayValue(notes)))
                .build();
    }

    /** Location n + 1 is frame n; function id + 1 is the consumer with that id. */
    private void frames() {
        for (int id = 0; id < profile.consumerCount(); id++) {
            Consumer consumer = profile.consumerAt(id);
            dictionary.addFunctionTable(
                    Function.newBuilder()
                            .setNameStrindex(string(Escapes.escape(consumer.display(), "")))
                            .setSystemNameStrindex(string(TEXT.write(consumer))));
        }
        for (int frame = 0; frame < frames.size(); frame++) {
            int site = frames.site(frame);
            Location.Builder location =
                    Location.newBuilder()
                            .addLines(
                                    Line.newBuilder()
                                            .setFunctionIndex(frames.consumer(frame) + 1)
                                            .setLine(Site.line(site)));
            FrameKind kind = Site.kind(site);
            if (kind != FrameKind.UNKNOWN) {
                location.addAttributeIndices(
                                attribute(OtlpNames.FRAME_TYPE, OtlpNames.frameType(kind)))
                        .addAttributeIndices(attribute(OtlpNames.FRAME_KIND, kind.label()));
            }
            dictionary.addLocationTable(location);
        }
    }

    private Profile profile(Column column) {
        Profile.Builder built =
                Profile.newBuilder()
                        .setSampleType(
                                ValueType.newBuilder()
                                        .setTypeStrindex(
                                                string(
                                                        Escapes.escape(
                                                                column.resource().name(), "")))
                                        .setUnitStrindex(
                                                string(
                                                        Escapes.escape(
                                                                ForeignResources.unitOf(
                                                                        column.resource()),
                                                                ""))));
        for (int row = 0; row < column.rows(); row++) {
            built.addSamples(sample(column, row));
        }
        Provenance provenance = profile.provenance();
        if (provenance.fromNanos() != Provenance.UNKNOWN_TIME) {
            built.setTimeUnixNano(provenance.fromNanos());
            if (provenance.untilNanos() != Provenance.UNKNOWN_TIME) {
                built.setDurationNano(provenance.untilNanos() - provenance.fromNanos());
            }
        }
        return built.build();
    }

    private Sample.Builder sample(Column column, int row) {
        Sample.Builder sample =
                Sample.newBuilder()
                        .setStackIndex(stack(column.node(row)))
                        .addValues(column.value(row));
        if (column.thread(row) != Column.NO_THREAD) {
            Consumer thread = profile.consumerAt(column.thread(row));
            sample.addAttributeIndices(attribute(OtlpNames.THREAD, thread.name()));
            if (!thread.owner().isEmpty()) {
                sample.addAttributeIndices(attribute(OtlpNames.THREAD_GROUP, thread.owner()));
            }
        }
        return sample;
    }

    /** The stack that ends in this node, innermost location first; made when first asked for. */
    private int stack(int leaf) {
        if (leaf != dev.heatline.model.Profile.ROOT && stackOf[leaf] == 0) {
            Stack.Builder stack = Stack.newBuilder();
            for (int node = leaf;
                    node > dev.heatline.model.Profile.ROOT;
                    node = profile.parent(node)) {
                stack.addLocationIndices(frames.of(node) + 1);
            }
            stackOf[leaf] = dictionary.getStackTableCount();
            dictionary.addStackTable(stack);
        }
        return stackOf[leaf];
    }

    private int attribute(String key, String value) {
        return attributes.computeIfAbsent(
                List.of(key, value),
                _ -> {
                    dictionary.addAttributeTable(
                            KeyValueAndUnit.newBuilder()
                                    .setKeyStrindex(string(key))
                                    .setValue(text(value)));
                    return dictionary.getAttributeTableCount() - 1;
                });
    }

    private static AnyValue text(String value) {
        return AnyValue.newBuilder().setStringValue(Escapes.escape(value, "")).build();
    }

    private int string(String text) {
        return strings.computeIfAbsent(
                text,
                _ -> {
                    dictionary.addStringTable(text);
                    return dictionary.getStringTableCount() - 1;
                });
    }
}
