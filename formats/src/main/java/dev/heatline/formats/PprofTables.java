package dev.heatline.formats;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Everything of a pprof file but its samples, which may stand before what they refer to. Numbers
 * are the field numbers of profile.proto.
 */
final class PprofTables {
    private final byte[] content;

    /** Where each text starts, and how long it is. */
    private final Longs texts = new Longs();

    /** For each line of a location: its function's id and its line. */
    private final Longs lineFunctions = new Longs();

    private final Longs lineNumbers = new Longs();

    /** For each location: the end of its lines, its mapping's id and its address. */
    private final Longs lineEnds = new Longs();

    private final Longs locationMappings = new Longs();
    private final Longs addresses = new Longs();
    private final LongTable locations = new LongTable();

    /** For each function: its name and its system name, as texts. */
    private final Longs functionNames = new Longs();

    private final Longs systemNames = new Longs();
    private final LongTable functions = new LongTable();

    private final LongTable mappings = new LongTable();
    private final Longs mappingFiles = new Longs();

    private final List<ValueType> sampleTypes = new ArrayList<>();
    private final Longs comments = new Longs();
    private ValueType periodType = new ValueType(0, 0);
    private long timeNanos;
    private long durationNanos;
    private long period;

    /** A type and a unit, as texts. */
    record ValueType(long type, long unit) {}

    PprofTables(byte[] content) throws IOException {
        this.content = content;
        CodedInputStream in = CodedInputStream.newInstance(content);
        int tag;
        while ((tag = in.readTag()) != 0) {
            boolean isMessage =
                    WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_LENGTH_DELIMITED;
            int field = WireFormat.getTagFieldNumber(tag);
            if (isMessage) {
                message(field, in);
            } else if (!number(field, in, tag)) {
                in.skipField(tag);
            }
        }
    }

    private void message(int field, CodedInputStream in) throws IOException {
        int length = in.readRawVarint32();
        int start = in.getTotalBytesRead();
        if (length < 0 || length > content.length - start) {
            throw new FormatException("a field at byte " + start + " is cut off");
        }
        int limit = in.pushLimit(length);
        switch (field) {
            case 1 -> sampleTypes.add(valueType(in));
            case 3 -> mapping(in);
            case 4 -> location(in);
            case 5 -> function(in);
            case 6 -> texts.add((long) start << 32 | length);
            case 11 -> periodType = valueType(in);
            case 13 -> {
                while (!in.isAtEnd()) {
                    comments.add(in.readRawVarint64());
                }
            }
            default -> {
                // Samples come later; what is not known is passed over.
            }
        }
        in.skipRawBytes(in.getBytesUntilLimit());
        in.popLimit(limit);
    }

    private boolean number(int field, CodedInputStream in, int tag) throws IOException {
        if (WireFormat.getTagWireType(tag) != WireFormat.WIRETYPE_VARINT) {
            return false;
        }
        long value = in.readRawVarint64();
        switch (field) {
            case 9 -> timeNanos = value;
            case 10 -> durationNanos = value;
            case 12 -> period = value;
            case 13 -> comments.add(value);
            default -> {
                // Frames to drop or keep are for pprof's own views.
            }
        }
        return true;
    }

    private static ValueType valueType(CodedInputStream in) throws IOException {
        long[] field = new long[3];
        numbers(in, field);
        return new ValueType(field[1], field[2]);
    }

    private void mapping(CodedInputStream in) throws IOException {
        long[] field = new long[6];
        numbers(in, field);
        mappings.add(field[1]);
        mappingFiles.set(mappings.find(field[1]), field[5]);
    }

    private void function(CodedInputStream in) throws IOException {
        long[] field = new long[4];
        numbers(in, field);
        int place = functions.add(field[1]);
        functionNames.set(place, field[2]);
        systemNames.set(place, field[3]);
    }

    private void location(CodedInputStream in) throws IOException {
        long id = 0;
        long mapping = 0;
        long address = 0;
        int firstLine = lineFunctions.size();
        int tag;
        while ((tag = in.readTag()) != 0) {
            switch (tag) {
                case 1 << 3 -> id = in.readRawVarint64();
                case 2 << 3 -> mapping = in.readRawVarint64();
                case 3 << 3 -> address = in.readRawVarint64();
                case 4 << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED -> line(in);
                default -> in.skipField(tag);
            }
        }
        if (locations.find(id) >= 0) {
            throw new FormatException("location " + id + " is there twice");
        }
        int place = locations.add(id);
        lineEnds.set(place, (long) firstLine << 32 | lineFunctions.size());
        locationMappings.set(place, mapping);
        addresses.set(place, address);
    }

    private void line(CodedInputStream in) throws IOException {
        int limit = in.pushLimit(in.readRawVarint32());
        long[] field = new long[3];
        numbers(in, field);
        lineFunctions.add(field[1]);
        lineNumbers.add(field[2]);
        in.popLimit(limit);
    }

    /** Reads the numbers among the fields of a message up to its end. */
    private static void numbers(CodedInputStream in, long[] field) throws IOException {
        int tag;
        while ((tag = in.readTag()) != 0) {
            int number = WireFormat.getTagFieldNumber(tag);
            boolean isNumber = WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_VARINT;
            if (isNumber && number < field.length) {
                field[number] = in.readRawVarint64();
            } else {
                in.skipField(tag);
            }
        }
    }

    /** A text of the string table. */
    String text(long index) {
        if (index == 0 && texts.size() == 0) {
            return "";
        }
        if (index < 0 || index >= texts.size()) {
            throw new FormatException("there is no text " + index);
        }
        long place = texts.get((int) index);
        return new String(content, (int) (place >> 32), (int) place, StandardCharsets.UTF_8);
    }

    List<ValueType> sampleTypes() {
        return sampleTypes;
    }

    List<String> comments() {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < comments.size(); i++) {
            lines.add(text(comments.get(i)));
        }
        return lines;
    }

    ValueType periodType() {
        return periodType;
    }

    long period() {
        return period;
    }

    long timeNanos() {
        return timeNanos;
    }

    long durationNanos() {
        return durationNanos;
    }

    int locationCount() {
        return locations.size();
    }

    /** The place of the location with this id. */
    int location(long id) {
        int place = locations.find(id);
        if (place < 0) {
            throw new FormatException("there is no location " + Long.toUnsignedString(id));
        }
        return place;
    }

    /** Lines from here on belong to this location, innermost first. */
    int firstLine(int location) {
        return (int) (lineEnds.get(location) >> 32);
    }

    int lastLine(int location) {
        return (int) lineEnds.get(location);
    }

    long lineNumber(int line) {
        return lineNumbers.get(line);
    }

    /** The place of the function that a line is in. */
    int function(int line) {
        int place = functions.find(lineFunctions.get(line));
        if (place < 0) {
            throw new FormatException(
                    "there is no function " + Long.toUnsignedString(lineFunctions.get(line)));
        }
        return place;
    }

    String functionName(int function) {
        return text(functionNames.get(function));
    }

    /** The name that leads back to a consumer in files of ours. */
    String systemName(int function) {
        return text(systemNames.get(function));
    }

    /** What to call a location without lines. */
    String address(int location) {
        String file = mappingFile(location);
        String hex = "0x" + Long.toHexString(addresses.get(location));
        String name = file.substring(file.lastIndexOf('/') + 1);
        return name.isEmpty() ? hex : name + " " + hex;
    }

    String mappingFile(int location) {
        int mapping = mappings.find(locationMappings.get(location));
        return mapping < 0 ? "" : text(mappingFiles.get(mapping));
    }
}
