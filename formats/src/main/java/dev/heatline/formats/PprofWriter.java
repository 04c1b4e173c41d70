package dev.heatline.formats;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import dev.heatline.model.Column;
import dev.heatline.model.Consumer;
import dev.heatline.model.ConsumerType;
import dev.heatline.model.FrameKind;
import dev.heatline.model.Profile;
import dev.heatline.model.Provenance;
import dev.heatline.model.Resource;
import dev.heatline.model.Site;
import java.io.IOException;
import java.io.OutputStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes profile.proto; the numbers are its field numbers. */
final class PprofWriter {
    static final String THREAD = "thread";
    static final String THREAD_GROUP = "thread_group";

    /** Mappings carry the frame kind: their file is called so, and their id is its code + 1. */
    static final String KIND_PREFIX = "heatline:";

    private static final ConsumerText TEXT = ConsumerText.dotted(ConsumerType.METHOD);

    private final Profile profile;
    private final CodedOutputStream out;
    private final DistinctFrames frames;
    private final Map<String, Integer> strings = new LinkedHashMap<>();

    PprofWriter(Profile profile, OutputStream out) {
        this.profile = profile;
        this.out = CodedOutputStream.newInstance(out, 1 << 16);
        this.frames = new DistinctFrames(profile);
        string("");
    }

    void write() throws IOException {
        for (Column column : profile.columns()) {
            Resource resource = column.resource();
            out.writeBytes(1, valueType(resource.name(), ForeignResources.unitOf(resource)));
        }
        samples();
        for (FrameKind kind : FrameKind.values()) {
            out.writeBytes(3, mapping(kind));
        }
        for (int frame = 0; frame < frames.size(); frame++) {
            out.writeBytes(4, location(frame));
        }
        functions();
        ByteString period = valueType("cpu", "nanoseconds");
        List<Integer> comments = Notes.write(profile).stream().map(this::string).toList();
        for (String text : strings.keySet()) {
            out.writeString(6, text);
        }
        times(period);
        for (int comment : comments) {
            out.writeInt64(13, comment);
        }
        out.flush();
    }

    private void samples() throws IOException {
        ByteString[] labels = labels();
        SampleRows rows = new SampleRows(profile);
        Varints ids = new Varints();
        Varints values = new Varints();
        while (rows.advance()) {
            ids.clear();
            values.clear();
            for (int node = rows.node(); node > Profile.ROOT; node = profile.parent(node)) {
                ids.add(frames.of(node) + 1L);
            }
            for (int i = 0; i < profile.columns().size(); i++) {
                values.add(rows.value(i));
            }
            ByteString label =
                    rows.thread() == Column.NO_THREAD ? ByteString.EMPTY : labels[rows.thread()];
            out.writeTag(2, WireFormat.WIRETYPE_LENGTH_DELIMITED);
            out.writeUInt32NoTag(packedSize(1, ids) + packedSize(2, values) + label.size());
            packed(1, ids);
            packed(2, values);
            out.writeRawBytes(label);
        }
    }

    private static int packedSize(int field, Varints column) {
        return column.size() == 0
                ? 0
                : CodedOutputStream.computeTagSize(field)
                        + CodedOutputStream.computeUInt32SizeNoTag(column.size())
                        + column.size();
    }

    private void packed(int field, Varints column) throws IOException {
        if (column.size() > 0) {
            out.writeByteArray(field, column.bytes(), 0, column.size());
        }
    }

    /** The labels of the samples of each thread, ready to be written. */
    private ByteString[] labels() throws IOException {
        ByteString[] labels = new ByteString[profile.consumerCount()];
        for (int id : profile.threads()) {
            Consumer thread = profile.consumerAt(id);
            labels[id] =
                    Message.bytes(
                            fields -> {
                                fields.writeBytes(3, label(THREAD, thread.name()));
                                if (!thread.owner().isEmpty()) {
                                    fields.writeBytes(3, label(THREAD_GROUP, thread.owner()));
                                }
                            });
        }
        return labels;
    }

    private ByteString label(String key, String value) throws IOException {
        return Message.bytes(
                fields -> {
                    fields.writeInt64(1, string(key));
                    fields.writeInt64(2, string(Escapes.escape(value, "")));
                });
    }

    private ByteString mapping(FrameKind kind) throws IOException {
        return Message.bytes(
                fields -> {
                    fields.writeUInt64(1, kind.code() + 1L);
                    fields.writeInt64(5, string(KIND_PREFIX + kind.label()));
                    fields.writeBool(7, true);
                    fields.writeBool(9, true);
                    fields.writeBool(10, true);
                });
    }

    private ByteString location(int frame) throws IOException {
        int site = frames.site(frame);
        ByteString line =
                Message.bytes(
                        fields -> {
                            fields.writeUInt64(1, frames.consumer(frame) + 1L);
                            if (Site.line(site) > 0) {
                                fields.writeInt64(2, Site.line(site));
                            }
                        });
        return Message.bytes(
                fields -> {
                    fields.writeUInt64(1, frame + 1L);
                    fields.writeUInt64(2, Site.kind(site).code() + 1L);
                    fields.writeBytes(4, line);
                });
    }

    /** A function's id is its consumer's id + 1; its system name leads back to the consumer. */
    private void functions() throws IOException {
        boolean[] used = new boolean[profile.consumerCount()];
        for (int frame = 0; frame < frames.size(); frame++) {
            used[frames.consumer(frame)] = true;
        }
        for (int id = 0; id < used.length; id++) {
            if (used[id]) {
                out.writeBytes(5, function(id, profile.consumerAt(id)));
            }
        }
    }

    private ByteString function(int id, Consumer consumer) throws IOException {
        String exact = TEXT.write(consumer);
        String shown = Escapes.escape(consumer.display(), "");
        return Message.bytes(
                fields -> {
                    fields.writeUInt64(1, id + 1L);
                    fields.writeInt64(2, string(shown));
                    fields.writeInt64(3, string(exact));
                });
    }

    private ByteString valueType(String type, String unit) throws IOException {
        return Message.bytes(
                fields -> {
                    fields.writeInt64(1, string(Escapes.escape(type, "")));
                    fields.writeInt64(2, string(Escapes.escape(unit, "")));
                });
    }

    private void times(ByteString period) throws IOException {
        Provenance provenance = profile.provenance();
        long from = provenance.fromNanos();
        long until = provenance.untilNanos();
        if (from != Provenance.UNKNOWN_TIME) {
            out.writeInt64(9, from);
            if (until != Provenance.UNKNOWN_TIME) {
                out.writeInt64(10, until - from);
            }
        }
        long interval = Intervals.read(provenance.fact(Provenance.INTERVAL));
        if (interval > 0) {
            out.writeBytes(11, period);
            out.writeInt64(12, interval);
        }
    }

    private int string(String text) {
        Integer known = strings.putIfAbsent(text, strings.size());
        return known == null ? strings.size() - 1 : known;
    }
}
