package dev.heatline.formats;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import dev.heatline.model.Column;
import dev.heatline.model.Consumer;
import dev.heatline.model.ConsumerType;
import dev.heatline.model.Moments;
import dev.heatline.model.Profile;
import dev.heatline.model.Provenance;
import dev.heatline.model.Resource;
import dev.heatline.model.RowSeconds;
import java.io.IOException;
import java.util.Arrays;
import java.util.function.Function;

/** Writes the body of a .heat file; see heat.proto for every field. */
final class HeatWriter {
    private final Profile profile;

    private HeatWriter(Profile profile) {
        this.profile = profile;
    }

    static byte[] write(Profile profile) throws IOException {
        HeatWriter writer = new HeatWriter(profile);
        return Message.bytes(
                        out -> {
                            text(out, 1, profile.consumerLabel());
                            out.writeBytes(2, provenance(profile.provenance()));
                            out.writeBytes(3, writer.consumers());
                            out.writeBytes(4, writer.tree());
                            for (int i = 0; i < profile.columns().size(); i++) {
                                out.writeBytes(5, writer.column(i));
                            }
                        })
                .toByteArray();
    }

    /** Empty texts and zeros are left out, as protobuf does. */
    private static void text(CodedOutputStream out, int field, String text) throws IOException {
        if (!text.isEmpty()) {
            out.writeByteArray(field, HeatText.encode(text));
        }
    }

    private static void number(CodedOutputStream out, int field, long number) throws IOException {
        if (number != 0) {
            out.writeUInt64(field, number);
        }
    }

    private static void packed(CodedOutputStream out, int field, Varints column)
            throws IOException {
        if (column.size() > 0) {
            out.writeByteArray(field, column.bytes(), 0, column.size());
        }
    }

    private static ByteString provenance(Provenance provenance) throws IOException {
        return Message.bytes(
                out -> {
                    for (var fact : provenance.facts().entrySet()) {
                        out.writeBytes(1, fact(fact.getKey(), fact.getValue()));
                    }
                    for (var count : provenance.counts().entrySet()) {
                        out.writeBytes(2, count(count.getKey(), count.getValue()));
                    }
                    if (provenance.fromNanos() != Provenance.UNKNOWN_TIME) {
                        out.writeSInt64(3, provenance.fromNanos());
                    }
                    if (provenance.untilNanos() != Provenance.UNKNOWN_TIME) {
                        out.writeSInt64(4, provenance.untilNanos());
                    }
                    for (var when : provenance.moments().entrySet()) {
                        out.writeBytes(5, moments(when.getKey(), when.getValue()));
                    }
                });
    }

    private static ByteString moments(String resource, Moments moments) throws IOException {
        Varints amounts = new Varints();
        for (int i = 0; i < moments.size(); i++) {
            amounts.add(moments.amount(i));
        }
        return Message.bytes(
                out -> {
                    text(out, 1, resource);
                    number(out, 2, moments.seconds());
                    number(out, 3, CodedOutputStream.encodeZigZag64(moments.first()));
                    packed(out, 4, amounts);
                });
    }

    private static ByteString fact(String name, Iterable<String> values) throws IOException {
        return Message.bytes(
                out -> {
                    text(out, 1, name);
                    for (String value : values) {
                        out.writeByteArray(2, HeatText.encode(value));
                    }
                });
    }

    private static ByteString count(String name, long amount) throws IOException {
        return Message.bytes(
                out -> {
                    text(out, 1, name);
                    number(out, 2, CodedOutputStream.encodeZigZag64(amount));
                });
    }

    private ByteString consumers() throws IOException {
        int[] counts = new int[ConsumerType.values().length];
        for (int id = 0; id < profile.consumerCount(); id++) {
            counts[HeatTypes.number(profile.consumerAt(id).type())]++;
        }
        Varints byType = new Varints();
        Arrays.stream(counts).forEach(byType::add);
        return Message.bytes(
                out -> {
                    packed(out, 1, byType);
                    out.writeBytes(2, texts(Consumer::owner));
                    out.writeBytes(3, texts(Consumer::name));
                    out.writeBytes(4, texts(Consumer::descriptor));
                });
    }

    private ByteString texts(Function<Consumer, String> part) throws IOException {
        HeatTexts texts = new HeatTexts();
        for (int id = 0; id < profile.consumerCount(); id++) {
            texts.add(part.apply(profile.consumerAt(id)));
        }
        return Message.bytes(
                out -> {
                    packed(out, 1, texts.references());
                    packed(out, 2, texts.shared());
                    packed(out, 3, texts.lengths());
                    if (texts.text().length > 0) {
                        out.writeByteArray(4, texts.text());
                    }
                });
    }

    private ByteString tree() throws IOException {
        int nodes = profile.nodeCount();
        HeatPrediction prediction = new HeatPrediction(profile.consumerCount());
        Varints up = new Varints();
        Varints consumers = new Varints();
        Varints sites = new Varints();
        for (int node = 1; node < nodes; node++) {
            int parent = profile.parent(node);
            int consumer = profile.consumer(node);
            int site = profile.site(node);
            int levels = 0;
            int elder = Profile.NO_NODE;
            for (int at = node - 1; at != parent; at = profile.parent(at)) {
                elder = at;
                levels++;
            }
            up.add(levels);
            if (elder == Profile.NO_NODE) {
                consumers.add(prediction.consumerCode(profile.consumer(parent), consumer));
            } else {
                consumers.add(consumer - profile.consumer(elder));
            }
            if (elder != Profile.NO_NODE && consumer == profile.consumer(elder)) {
                sites.add(site - profile.site(elder));
                prediction.sawSite(consumer, site);
            } else {
                sites.add(prediction.siteCode(consumer, site));
            }
        }
        return Message.bytes(
                out -> {
                    number(out, 1, nodes - 1);
                    packed(out, 2, up);
                    packed(out, 3, consumers);
                    packed(out, 4, sites);
                });
    }

    private ByteString column(int index) throws IOException {
        Column column = profile.columns().get(index);
        Resource resource = column.resource();
        int rowsOf = profile.columnWithSameRows(index);
        long unit = column.commonDivisor();
        Varints nodes = new Varints();
        Varints threads = new Varints();
        Varints values = new Varints();
        for (int row = 0; row < column.rows(); row++) {
            values.add(column.value(row) / unit);
            if (rowsOf == 0) {
                nodes.add(column.node(row) - (row == 0 ? 0 : column.node(row - 1)));
                threads.addSigned(
                        column.thread(row)
                                - (row == 0 ? Column.NO_THREAD : column.thread(row - 1)));
            }
        }
        return Message.bytes(
                out -> {
                    text(out, 1, resource.name());
                    text(out, 2, resource.unit());
                    number(out, 3, HeatTypes.number(resource.kind()));
                    number(out, 4, resource.perUnit());
                    text(out, 5, resource.occurrences());
                    number(out, 6, rowsOf);
                    number(out, 7, column.rows());
                    packed(out, 8, nodes);
                    packed(out, 9, threads);
                    packed(out, 10, values);
                    number(out, 11, unit);
                    seconds(out, column);
                });
    }

    /** The last amount of a row is what the others leave of its value. */
    private static void seconds(CodedOutputStream out, Column column) throws IOException {
        RowSeconds seconds = column.seconds();
        if (seconds.isEmpty()) {
            return;
        }
        Varints parts = new Varints();
        Varints offsets = new Varints();
        Varints amounts = new Varints();
        for (int row = 0; row < column.rows(); row++) {
            int start = seconds.start(row);
            int end = seconds.end(row);
            parts.add(end - start);
            for (int part = start; part < end; part++) {
                long before = part == start ? seconds.first() : seconds.second(part - 1);
                offsets.add(seconds.second(part) - before);
                if (part < end - 1) {
                    amounts.add(seconds.amount(part));
                }
            }
        }
        out.writeSInt64(12, seconds.first());
        packed(out, 13, parts);
        packed(out, 14, offsets);
        packed(out, 15, amounts);
    }
}
