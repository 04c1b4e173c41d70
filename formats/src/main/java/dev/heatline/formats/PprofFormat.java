package dev.heatline.formats;

import dev.heatline.model.Profile;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/**
 * pprof's profile.proto, gzipped. Read and written by hand, without generated classes, since a
 * profile goes by in one pass. What it has no field for stands in comments (see {@link Notes}), the
 * frame kind is that of a location's mapping.
 */
public final class PprofFormat implements Format {
    private static final int SAMPLE_TYPE_TAG = 0x0A;
    private static final int STRING_TAG = 0x32;

    @Override
    public String name() {
        return "pprof";
    }

    @Override
    public List<String> extensions() {
        return List.of(".pb.gz", ".pprof", ".pb");
    }

    @Override
    public boolean isCompressed() {
        return true;
    }

    /** Whether it starts with a sample type, which is two small numbers, or with no text. */
    @Override
    public boolean recognises(byte[] start) {
        if (start.length < 2) {
            return false;
        }
        if (start[0] == STRING_TAG) {
            return start[1] == 0;
        }
        int length = start[1];
        if (start[0] != SAMPLE_TYPE_TAG
                || length <= 0
                || length > 20
                || length + 2 > start.length) {
            return false;
        }
        int at = 2;
        while (at < length + 2) {
            if (start[at] != 0x08 && start[at] != 0x10) {
                return false;
            }
            at++;
            while (at < length + 2 && start[at] < 0) {
                at++;
            }
            at++;
        }
        return at == length + 2;
    }

    @Override
    public Profile read(Source source, ReadOptions options) {
        if (source.bytes().byteSize() > Integer.MAX_VALUE - 16) {
            throw new FormatException(source.name() + ": is too large for pprof");
        }
        byte[] content = source.bytes().toArray(ValueLayout.JAVA_BYTE);
        try {
            return new PprofReader(content, options).read();
        } catch (IOException e) {
            throw new FormatException(source.name() + ": damaged pprof data: " + e.getMessage());
        } catch (FormatException e) {
            throw new FormatException(source.name() + ": damaged pprof data: " + e.getMessage());
        }
    }

    @Override
    public void write(Profile profile, OutputStream out, WriteOptions options) throws IOException {
        options.resource().ifPresent(_ -> ResourceChoice.used(profile, options));
        GZIPOutputStream gzip = new GZIPOutputStream(out, 1 << 16);
        new PprofWriter(profile, gzip).write();
        gzip.finish();
    }
}
