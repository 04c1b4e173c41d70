package dev.heatline.formats;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** The fields of one message of a .heat file, found but not yet decoded. */
final class HeatMessage {
    private static final int FIELDS = 16;

    /** How often a field may be there; each time takes more memory than the bytes in the file. */
    static final int MAX_REPEATS = 1 << 20;

    private final byte[] body;
    private final String what;
    private final long[] numbers = new long[FIELDS];
    private final boolean[] present = new boolean[FIELDS];
    private final Map<Integer, List<Part>> parts = new HashMap<>();

    /** A length-delimited field: where it is in the body. */
    private record Part(int start, int length) {}

    /**
     * @param what the message's name in messages to people
     */
    HeatMessage(byte[] body, String what) {
        this(body, new Part(0, body.length), what);
    }

    private HeatMessage(byte[] body, Part place, String what) {
        this.body = body;
        this.what = what;
        try {
            parse(CodedInputStream.newInstance(body, place.start, place.length), place.start);
        } catch (IOException e) {
            throw new FormatException(what + ": " + e.getMessage());
        }
    }

    private void parse(CodedInputStream in, int start) throws IOException {
        int tag;
        while ((tag = in.readTag()) != 0) {
            int field = WireFormat.getTagFieldNumber(tag);
            int type = WireFormat.getTagWireType(tag);
            if (field < FIELDS && type == WireFormat.WIRETYPE_VARINT) {
                numbers[field] = in.readRawVarint64();
                present[field] = true;
            } else if (field < FIELDS && type == WireFormat.WIRETYPE_LENGTH_DELIMITED) {
                int length = in.readRawVarint32();
                add(field, new Part(start + in.getTotalBytesRead(), length));
                in.skipRawBytes(length);
            } else if (!in.skipField(tag)) {
                throw new FormatException(what + ": ends with a group that never began");
            }
        }
    }

    private void add(int field, Part part) {
        List<Part> found = parts.computeIfAbsent(field, _ -> new ArrayList<>(1));
        if (found.size() == MAX_REPEATS) {
            throw new FormatException(
                    what + ": field " + field + " is there more than " + MAX_REPEATS + " times");
        }
        found.add(part);
    }

    boolean has(int field) {
        return present[field];
    }

    /** A number, 0 if it is absent. */
    long number(int field) {
        return numbers[field];
    }

    long signedNumber(int field) {
        return CodedInputStream.decodeZigZag64(numbers[field]);
    }

    /** A count or place that must fit into an int. */
    int smallNumber(int field) {
        if (numbers[field] < 0 || numbers[field] > Integer.MAX_VALUE) {
            throw new FormatException(what + ": field " + field + " is out of range");
        }
        return (int) numbers[field];
    }

    String text(int field) {
        Part part = single(field);
        return HeatText.decode(body, part.start, part.length);
    }

    List<String> texts(int field) {
        return parts(field).stream()
                .map(part -> HeatText.decode(body, part.start, part.length))
                .toList();
    }

    HeatMessage message(int field, String name) {
        return new HeatMessage(body, single(field), name);
    }

    /** The messages of a field, each decoded when its turn comes. */
    Iterable<HeatMessage> messages(int field, String name) {
        List<Part> found = parts(field);
        return () ->
                IntStream.range(0, found.size())
                        .mapToObj(i -> new HeatMessage(body, found.get(i), name + " " + i))
                        .iterator();
    }

    private List<Part> parts(int field) {
        return parts.getOrDefault(field, List.of());
    }

    PackedColumn column(int field, String name) {
        Part part = single(field);
        return new PackedColumn(body, part.start, part.length, what + ": the column of " + name);
    }

    /** The bytes of a field, shared with the body. */
    HeatBytes bytes(int field) {
        Part part = single(field);
        return new HeatBytes(body, part.start, part.length);
    }

    private Part single(int field) {
        List<Part> found = parts(field);
        if (found.size() > 1) {
            throw new FormatException(what + ": field " + field + " is there twice");
        }
        return found.isEmpty() ? new Part(0, 0) : found.getFirst();
    }
}
