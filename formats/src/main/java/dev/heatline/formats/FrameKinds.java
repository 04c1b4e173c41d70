package dev.heatline.formats;

import dev.heatline.model.FrameKind;

/** Frame kinds as files name them. */
final class FrameKinds {

    private FrameKinds() {}

    /** The kind with this label, or {@link FrameKind#UNKNOWN} if there is none. */
    static FrameKind labelled(String label) {
        for (FrameKind kind : FrameKind.values()) {
            if (kind.label().equals(label)) {
                return kind;
            }
        }
        return FrameKind.UNKNOWN;
    }
}
