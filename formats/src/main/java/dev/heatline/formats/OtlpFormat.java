package dev.heatline.formats;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.WireFormat;
import dev.heatline.model.Profile;
import io.opentelemetry.proto.profiles.v1development.ProfilesData;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/**
 * OpenTelemetry's profiles, the development version that the generated classes pin: a {@code
 * ProfilesData} message, which is also what an export request holds. Each resource is a profile of
 * its own.
 */
public final class OtlpFormat implements Format {

    @Override
    public String name() {
        return "otlp";
    }

    @Override
    public List<String> extensions() {
        return List.of(".otlp");
    }

    /** Whether it starts with a ResourceProfiles that starts with a message. */
    @Override
    public boolean recognises(byte[] start) {
        try {
            CodedInputStream in = CodedInputStream.newInstance(start);
            int message = WireFormat.WIRETYPE_LENGTH_DELIMITED;
            if (in.readTag() != (1 << 3 | message)) {
                return false;
            }
            int length = in.readRawVarint32();
            int before = in.getTotalBytesRead();
            int inner = in.readTag();
            int innerLength = in.readRawVarint32();
            long used = (long) in.getTotalBytesRead() - before + innerLength;
            return (inner == (1 << 3 | message) || inner == (2 << 3 | message))
                    && innerLength >= 0
                    && used <= length;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public Profile read(Source source, ReadOptions options) {
        ProfilesData data;
        try {
            CodedInputStream in = CodedInputStream.newInstance(new SegmentStream(source.bytes()));
            in.setSizeLimit(Integer.MAX_VALUE);
            data = ProfilesData.parseFrom(in);
        } catch (InvalidProtocolBufferException e) {
            throw new FormatException(source.name() + ": damaged OTLP data: " + e.getMessage());
        } catch (IOException e) {
            throw new FormatException(source.name() + ": cannot be read: " + e.getMessage());
        }
        options.progress().accept(source.bytes().byteSize());
        try {
            return new OtlpReader(data, source.bytes().byteSize()).read();
        } catch (FormatException e) {
            throw new FormatException(source.name() + ": damaged OTLP data: " + e.getMessage());
        }
    }

    @Override
    public void write(Profile profile, OutputStream out, WriteOptions options) throws IOException {
        options.resource().ifPresent(_ -> ResourceChoice.used(profile, options));
        new OtlpWriter(profile).write().writeTo(out);
    }
}
