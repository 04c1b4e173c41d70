package dev.heatline.formats;

import dev.heatline.model.FrameKind;
import dev.heatline.model.Provenance;
import java.util.Map;

/** Attribute names of OpenTelemetry's semantic conventions, and ours for what these lack. */
final class OtlpNames {
    static final String THREAD = "thread.name";
    static final String THREAD_GROUP = "heatline.thread.group";
    static final String FRAME_TYPE = "profile.frame.type";
    static final String FRAME_KIND = "heatline.frame.kind";
    static final String NOTES = "heatline.notes";

    /** What attributes of a resource say about where a profile comes from. */
    static final Map<String, String> FACTS =
            Map.of(
                    "service.name", Provenance.APPLICATION,
                    "service.version", Provenance.VERSION,
                    "service.instance.id", Provenance.INSTANCE);

    private OtlpNames() {}

    /** The conventional frame type of a kind; empty if it is unknown. */
    static String frameType(FrameKind kind) {
        return switch (kind) {
            case UNKNOWN -> "";
            case INTERPRETED, COMPILED, INLINED, C1_COMPILED -> "jvm";
            case NATIVE, VM -> "native";
            case KERNEL -> "kernel";
        };
    }

    /** The kind that a frame type alone tells: of Java code only that it is Java code. */
    static FrameKind kindOfType(String frameType) {
        return switch (frameType) {
            case "native", "go", "rust" -> FrameKind.NATIVE;
            case "kernel" -> FrameKind.KERNEL;
            default -> FrameKind.UNKNOWN;
        };
    }
}
