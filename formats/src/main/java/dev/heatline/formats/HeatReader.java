package dev.heatline.formats;

import dev.heatline.model.Column;
import dev.heatline.model.Consumer;
import dev.heatline.model.ConsumerType;
import dev.heatline.model.Moments;
import dev.heatline.model.Profile;
import dev.heatline.model.Provenance;
import dev.heatline.model.Resource;
import dev.heatline.model.RowSeconds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Reads the body of a .heat file; see heat.proto for every field. Fills the arrays of a Profile
 * directly: what is wrong with them is found by {@link Profile#fromColumns}.
 */
final class HeatReader {
    private final String fileName;
    private final byte[] body;
    private long textBytesLeft;

    /**
     * @param maxTextBytes how long all names together may become: they share their beginnings in
     *     the file, but not in memory
     */
    HeatReader(String fileName, byte[] body, long maxTextBytes) {
        this.fileName = fileName;
        this.body = body;
        this.textBytesLeft = maxTextBytes;
    }

    Profile read() {
        try {
            HeatMessage profile = new HeatMessage(body, "profile");
            Consumer[] consumers = consumers(profile.message(3, "consumers"));
            HeatTree tree = new HeatTree(profile.message(4, "tree"), consumers.length);
            List<Column> columns = new ArrayList<>();
            List<HeatRows> rows = new ArrayList<>();
            for (HeatMessage column : profile.messages(5, "column")) {
                rows.add(HeatRows.of(column, rows));
                columns.add(column(column, rows.getLast()));
            }
            return Profile.fromColumns(
                    profile.text(1),
                    provenance(profile.message(2, "provenance")),
                    consumers,
                    tree.parent,
                    tree.consumer,
                    tree.site,
                    columns);
        } catch (FormatException e) {
            throw new FormatException(fileName + ": damaged in " + e.getMessage());
        }
    }

    private Provenance provenance(HeatMessage message) {
        SortedMap<String, SortedSet<String>> facts = new TreeMap<>();
        for (HeatMessage fact : message.messages(1, "fact")) {
            List<String> values = fact.texts(2);
            textBytesLeft -= values.stream().mapToLong(String::length).sum();
            if (textBytesLeft < 0) {
                throw new FormatException("provenance: the facts are too long");
            }
            facts.put(fact.text(1), new TreeSet<>(values));
        }
        SortedMap<String, Long> counts = new TreeMap<>();
        for (HeatMessage count : message.messages(2, "count")) {
            counts.put(count.text(1), count.signedNumber(2));
        }
        return new Provenance(
                facts,
                counts,
                message.has(3) ? message.signedNumber(3) : Provenance.UNKNOWN_TIME,
                message.has(4) ? message.signedNumber(4) : Provenance.UNKNOWN_TIME,
                moments(message));
    }

    private static SortedMap<String, Moments> moments(HeatMessage provenance) {
        SortedMap<String, Moments> moments = new TreeMap<>();
        for (HeatMessage message : provenance.messages(5, "moments")) {
            PackedColumn packed = message.column(4, "amounts");
            int size = packed.count();
            if (size > Moments.MOST) {
                throw packed.wrong("is longer than it should be");
            }
            long[] amounts = new long[size];
            for (int i = 0; i < size; i++) {
                amounts[i] = packed.nextLong();
            }
            packed.checkEnd();
            Moments when = Moments.of(message.number(2), message.signedNumber(3), amounts);
            if (when.isEmpty() || moments.put(message.text(1), when) != null) {
                throw packed.wrong("is empty or there twice");
            }
        }
        return moments;
    }

    private Consumer[] consumers(HeatMessage message) {
        String[] owners = texts(message.message(2, "owners"));
        String[] names = texts(message.message(3, "names"));
        String[] descriptors = texts(message.message(4, "descriptors"));
        PackedColumn counts = message.column(1, "counts");
        Consumer[] consumers = new Consumer[owners.length];
        int id = 0;
        for (ConsumerType type : HeatTypes.consumerTypes()) {
            for (int left = counts.next(); left != 0; left--) {
                if (id >= names.length || id >= owners.length || id >= descriptors.length) {
                    throw counts.wrong("says there are more than there are");
                }
                consumers[id] = new Consumer(type, owners[id], names[id], descriptors[id]);
                id++;
            }
        }
        counts.checkEnd();
        if (id != consumers.length) {
            throw counts.wrong("says there are fewer than there are");
        }
        return consumers;
    }

    private String[] texts(HeatMessage message) {
        PackedColumn references = message.column(1, "references");
        PackedColumn shared = message.column(2, "shared bytes");
        PackedColumn lengths = message.column(3, "lengths");
        HeatBytes text = message.bytes(4);
        String[] texts = new String[references.count()];
        String[] fresh = new String[shared.count()];
        byte[] last = new byte[256];
        int lastLength = 0;
        int known = 0;
        for (int i = 0; i < texts.length; i++) {
            int reference = references.next();
            if (reference == 0 && known < fresh.length) {
                int common = shared.next();
                int more = lengths.next();
                if (common < 0 || common > lastLength || more < 0 || more > text.remaining()) {
                    throw lengths.wrong("is wrong at text " + known);
                }
                if (common > HeatTexts.MAX_SHARED) {
                    throw shared.wrong("has " + common + " at text " + known);
                }
                lastLength = common + more;
                textBytesLeft -= lastLength;
                if (textBytesLeft < 0) {
                    throw lengths.wrong("makes the names too long at text " + known);
                }
                if (lastLength > last.length) {
                    last = Arrays.copyOf(last, Math.max(lastLength, last.length * 2));
                }
                text.take(last, common, more);
                fresh[known++] = HeatText.decode(last, 0, lastLength);
                reference = 1;
            }
            if (reference <= 0 || reference > known) {
                throw references.wrong("names no text at place " + i);
            }
            texts[i] = fresh[known - reference];
        }
        return texts;
    }

    private static Column column(HeatMessage message, HeatRows rows) {
        int kind = message.smallNumber(3);
        int count = rows.nodes.length;
        long unit = message.number(11);
        PackedColumn packed = message.column(10, "values");
        if (kind >= HeatTypes.kinds().size() || count != message.smallNumber(7) || unit <= 0) {
            throw packed.wrong("does not fit its resource");
        }
        packed.checkHolds(count);
        long[] values = new long[count];
        for (int row = 0; row < count; row++) {
            long value = packed.nextLong();
            values[row] = value * unit;
            if (Math.multiplyHigh(value, unit) != 0) {
                throw packed.wrong("is out of range at row " + row);
            }
        }
        packed.checkEnd();
        Resource resource =
                new Resource(
                        message.text(1),
                        message.text(2),
                        HeatTypes.kinds().get(kind),
                        message.number(4),
                        message.text(5));
        Column column = Column.fromRows(resource, rows.nodes, rows.threads, values);
        return message.has(12) ? column.withSeconds(seconds(message, column)) : column;
    }

    private static RowSeconds seconds(HeatMessage message, Column column) {
        PackedColumn parts = message.column(13, "parts");
        PackedColumn packedOffsets = message.column(14, "seconds");
        PackedColumn packedAmounts = message.column(15, "amounts");
        parts.checkHolds(column.rows());
        int[] starts = new int[column.rows() + 1];
        int[] offsets = new int[packedOffsets.count()];
        long[] amounts = new long[offsets.length];
        for (int row = 0; row < column.rows(); row++) {
            int start = starts[row];
            int count = parts.next();
            if (count < 0 || count > offsets.length - start) {
                throw parts.wrong("has " + count + " at row " + row);
            }
            starts[row + 1] = start + count;
            int offset = 0;
            long left = column.value(row);
            for (int part = start; part < start + count; part++) {
                offset += packedOffsets.next();
                offsets[part] = offset;
                amounts[part] = part == start + count - 1 ? left : packedAmounts.nextLong();
                left -= amounts[part];
            }
        }
        parts.checkEnd();
        packedOffsets.checkEnd();
        packedAmounts.checkEnd();
        return RowSeconds.of(message.signedNumber(12), starts, offsets, amounts);
    }
}
