package dev.heatline.formats;

import dev.heatline.model.Column;
import dev.heatline.model.ColumnBuilder;
import dev.heatline.model.Consumer;
import dev.heatline.model.ConsumerType;
import dev.heatline.model.FrameKind;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Provenance;
import dev.heatline.model.Resource;
import dev.heatline.model.Site;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.profiles.v1development.Function;
import io.opentelemetry.proto.profiles.v1development.KeyValueAndUnit;
import io.opentelemetry.proto.profiles.v1development.Location;
import io.opentelemetry.proto.profiles.v1development.Profile;
import io.opentelemetry.proto.profiles.v1development.ProfilesData;
import io.opentelemetry.proto.profiles.v1development.ProfilesDictionary;
import io.opentelemetry.proto.profiles.v1development.ResourceProfiles;
import io.opentelemetry.proto.profiles.v1development.Sample;
import io.opentelemetry.proto.profiles.v1development.ScopeProfiles;
import io.opentelemetry.proto.profiles.v1development.Stack;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Turns OTLP profiles into one Profile: every sample type is a resource. */
final class OtlpReader {
    private static final ConsumerText EXACT = ConsumerText.dotted(ConsumerType.METHOD);

    private final ProfilesData data;
    private final ProfilesDictionary dictionary;
    private final ProfileBuilder builder = new ProfileBuilder();
    private final ForeignResources foreign = new ForeignResources();
    private final Map<List<String>, ForeignResources.Scaled> resources = new HashMap<>();
    private final @Nullable Notes notes;
    private Provenance provenance = Provenance.NONE;

    /** The frames of each location, innermost first; null until used. */
    private final int[][] consumersAt;

    private final int[][] sitesAt;

    /** The node of each stack plus one, 0 until used. */
    private final int[] nodeOf;

    private final FrameBudget budget;
    private int[] consumers = new int[256];
    private int[] sites = new int[256];

    OtlpReader(ProfilesData data, long inputBytes) {
        this.data = data;
        this.budget = new FrameBudget(inputBytes);
        this.dictionary = data.getDictionary();
        this.notes = Notes.read(noteLines(data));
        this.consumersAt = new int[dictionary.getLocationTableCount()][];
        this.sitesAt = new int[dictionary.getLocationTableCount()][];
        this.nodeOf = new int[dictionary.getStackTableCount()];
    }

    dev.heatline.model.Profile read() {
        if (notes != null) {
            builder.consumerLabel(notes.consumerLabel());
        }
        for (ResourceProfiles group : data.getResourceProfilesList()) {
            facts(group.getResource().getAttributesList());
            for (ScopeProfiles scope : group.getScopeProfilesList()) {
                scope.getProfilesList().forEach(this::add);
            }
        }
        return builder.build(notes == null ? provenance : notes.provenance());
    }

    private static List<String> noteLines(ProfilesData data) {
        List<String> lines = new ArrayList<>();
        for (ResourceProfiles group : data.getResourceProfilesList()) {
            for (KeyValue attribute : group.getResource().getAttributesList()) {
                if (attribute.getKey().equals(OtlpNames.NOTES)) {
                    for (AnyValue note : attribute.getValue().getArrayValue().getValuesList()) {
                        lines.add(note.getStringValue());
                    }
                }
            }
        }
        return lines;
    }

    private void facts(List<KeyValue> attributes) {
        for (KeyValue attribute : attributes) {
            String fact = OtlpNames.FACTS.get(attribute.getKey());
            if (fact != null) {
                provenance = provenance.withFact(fact, attribute.getValue().getStringValue());
            }
        }
    }

    private void add(Profile profile) {
        String type = string(profile.getSampleType().getTypeStrindex());
        String unit = string(profile.getSampleType().getUnitStrindex());
        ForeignResources.Scaled scaled = scaled(type, unit);
        ColumnBuilder column = builder.column(scaled.resource());
        for (Sample sample : profile.getSamplesList()) {
            long value = value(sample);
            if (value > 0 && Math.multiplyHigh(value, scaled.factor()) != 0) {
                throw new FormatException("a value of " + value + " is too large");
            }
            column.add(node(sample.getStackIndex()), thread(sample), value * scaled.factor());
        }
        Provenance covered =
                ForeignResources.covering(profile.getTimeUnixNano(), profile.getDurationNano());
        provenance = provenance.merge(covered);
    }

    private ForeignResources.Scaled scaled(String type, String unit) {
        Resource known = notes == null ? null : notes.resources().get(Escapes.unescape(type));
        return known == null
                ? resources.computeIfAbsent(List.of(type, unit), _ -> foreign.next(type, unit))
                : new ForeignResources.Scaled(known, 1);
    }

    /** Values of one sample belong to its timestamps; without values, each timestamp is one. */
    private static long value(Sample sample) {
        if (sample.getValuesCount() == 0) {
            return sample.getTimestampsUnixNanoCount();
        }
        long sum = 0;
        for (long value : sample.getValuesList()) {
            try {
                sum = Math.addExact(sum, value);
            } catch (ArithmeticException e) {
                throw new FormatException("the values of a sample are too large");
            }
        }
        return sum;
    }

    private int thread(Sample sample) {
        String name = null;
        String group = "";
        for (int index : sample.getAttributeIndicesList()) {
            KeyValueAndUnit attribute = attribute(index);
            String key = string(attribute.getKeyStrindex());
            if (key.equals(OtlpNames.THREAD)) {
                name = text(attribute);
            } else if (key.equals(OtlpNames.THREAD_GROUP)) {
                group = text(attribute);
            }
        }
        return name == null ? Column.NO_THREAD : builder.consumer(Consumer.thread(group, name));
    }

    private int node(int stackIndex) {
        if (stackIndex == 0 && nodeOf.length == 0) {
            return dev.heatline.model.Profile.ROOT;
        }
        if (stackIndex < 0 || stackIndex >= nodeOf.length) {
            throw new FormatException("there is no stack " + stackIndex);
        }
        if (nodeOf[stackIndex] == 0) {
            nodeOf[stackIndex] = enter(dictionary.getStackTable(stackIndex)) + 1;
        }
        return nodeOf[stackIndex] - 1;
    }

    private int enter(Stack stack) {
        int depth = 0;
        for (int i = 0; i < stack.getLocationIndicesCount(); i++) {
            int location = stack.getLocationIndices(i);
            if (location < 0 || location >= consumersAt.length) {
                throw new FormatException("there is no location " + location);
            }
            if (consumersAt[location] == null) {
                resolve(location, dictionary.getLocationTable(location));
            }
            int more = consumersAt[location].length;
            int deeper = budget.deeper(depth, more);
            if (deeper > consumers.length) {
                int capacity = Math.max(deeper, consumers.length * 2);
                consumers = Arrays.copyOf(consumers, capacity);
                sites = Arrays.copyOf(sites, capacity);
            }
            System.arraycopy(consumersAt[location], 0, consumers, depth, more);
            System.arraycopy(sitesAt[location], 0, sites, depth, more);
            depth = deeper;
        }
        return builder.stack(dev.heatline.model.Profile.ROOT, consumers, sites, depth);
    }

    /** All lines of a location but the last were inlined into the one that follows. */
    private void resolve(int index, Location location) {
        int lines = Math.max(1, location.getLinesCount());
        consumersAt[index] = new int[lines];
        sitesAt[index] = new int[lines];
        FrameKind kind = kind(location);
        if (location.getLinesCount() == 0) {
            String address = "0x" + Long.toHexString(location.getAddress());
            consumersAt[index][0] = builder.consumer(Consumer.method("", address, ""));
            sitesAt[index][0] = Site.of(0, kind);
            return;
        }
        for (int i = 0; i < lines; i++) {
            long line = location.getLines(i).getLine();
            consumersAt[index][i] =
                    builder.consumer(consumer(location.getLines(i).getFunctionIndex()));
            sitesAt[index][i] =
                    Site.of(
                            line > 0 && line <= Site.MAX_LINE ? (int) line : 0,
                            i < lines - 1 ? FrameKind.INLINED : kind);
        }
    }

    private FrameKind kind(Location location) {
        FrameKind kind = FrameKind.UNKNOWN;
        for (int index : location.getAttributeIndicesList()) {
            KeyValueAndUnit attribute = attribute(index);
            String key = string(attribute.getKeyStrindex());
            if (key.equals(OtlpNames.FRAME_KIND)) {
                return FrameKinds.labelled(text(attribute));
            }
            if (key.equals(OtlpNames.FRAME_TYPE)) {
                kind = OtlpNames.kindOfType(text(attribute));
            }
        }
        return kind;
    }

    private Consumer consumer(int index) {
        if (index < 0 || index >= dictionary.getFunctionTableCount()) {
            throw new FormatException("there is no function " + index);
        }
        Function function = dictionary.getFunctionTable(index);
        String name = string(function.getNameStrindex());
        String system = string(function.getSystemNameStrindex());
        return notes == null
                ? ConsumerText.slashed().read(name.isEmpty() ? system : name)
                : EXACT.read(system);
    }

    private KeyValueAndUnit attribute(int index) {
        if (index < 0 || index >= dictionary.getAttributeTableCount()) {
            throw new FormatException("there is no attribute " + index);
        }
        return dictionary.getAttributeTable(index);
    }

    private String text(KeyValueAndUnit attribute) {
        return Escapes.unescape(attribute.getValue().getStringValue());
    }

    private String string(int index) {
        if (index == 0 && dictionary.getStringTableCount() == 0) {
            return "";
        }
        if (index < 0 || index >= dictionary.getStringTableCount()) {
            throw new FormatException("there is no text " + index);
        }
        return dictionary.getStringTable(index);
    }
}
