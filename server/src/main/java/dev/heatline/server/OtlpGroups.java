package dev.heatline.server;

import dev.heatline.wire.Naming;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.profiles.v1development.ProfilesData;
import io.opentelemetry.proto.profiles.v1development.ResourceProfiles;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** The parts of an OTLP request that belong to different executions. */
final class OtlpGroups {
    private static final String NAME = "service.name";
    private static final String VERSION = "service.version";
    private static final String INSTANCE = "service.instance.id";

    /** Attributes that say how was measured or started, or that have a place of their own. */
    private static final List<String> NO_LABELS =
            List.of("service.", "telemetry.", "process.", "heatline.");

    private static final int MAX_GROUPS = 100;
    private static final long MAX_BYTES = 1L << 30;
    private static final int MAX_LABEL_LENGTH = 128;

    private OtlpGroups() {}

    /**
     * What each execution's resource says, with all of the request that belongs to it.
     *
     * @throws Refusal if there are too many
     */
    static Map<Claim, ProfilesData> of(ProfilesData request) {
        Map<Claim, List<ResourceProfiles>> parts = new LinkedHashMap<>();
        for (ResourceProfiles part : request.getResourceProfilesList()) {
            Claim claim = claim(part.getResource().getAttributesList());
            parts.computeIfAbsent(claim, _ -> new ArrayList<>()).add(part);
        }
        // Each part is read together with everything the request refers to.
        if (parts.size() > MAX_GROUPS
                || (long) parts.size() * request.getDictionary().getSerializedSize() > MAX_BYTES) {
            throw new Refusal(
                    413, parts.size() + " services are too many for one request of this size");
        }
        Map<Claim, ProfilesData> groups = new LinkedHashMap<>();
        parts.forEach(
                (claim, own) ->
                        groups.put(
                                claim,
                                request.toBuilder()
                                        .clearResourceProfiles()
                                        .addAllResourceProfiles(own)
                                        .build()));
        return groups;
    }

    private static Claim claim(List<KeyValue> attributes) {
        Map<String, String> texts = new TreeMap<>();
        for (KeyValue attribute : attributes) {
            if (attribute.getValue().hasStringValue()) {
                texts.put(attribute.getKey(), attribute.getValue().getStringValue());
            }
        }
        return new Claim(
                Optional.ofNullable(texts.get(NAME)),
                Optional.ofNullable(texts.get(VERSION)),
                Optional.ofNullable(texts.get(INSTANCE)),
                labels(texts),
                Optional.empty(),
                Optional.empty());
    }

    /** Senders attach whatever they know; what makes no label is left out, not refused. */
    private static SortedMap<String, String> labels(Map<String, String> texts) {
        SortedMap<String, String> labels = new TreeMap<>();
        texts.forEach(
                (name, value) -> {
                    boolean wanted =
                            NO_LABELS.stream().noneMatch(name::startsWith)
                                    && name.length() <= MAX_LABEL_LENGTH
                                    && value.length() <= MAX_LABEL_LENGTH;
                    if (wanted && isLabel(name, value)) {
                        labels.put(name, value);
                        if (!Naming.fit(labels)) {
                            labels.remove(name);
                        }
                    }
                });
        return labels;
    }

    private static boolean isLabel(String name, String value) {
        return Naming.isName(name) && Naming.isName(value);
    }
}
