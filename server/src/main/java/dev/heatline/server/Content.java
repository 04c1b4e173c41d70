package dev.heatline.server;

import com.github.luben.zstd.ZstdInputStream;
import dev.heatline.formats.Format;
import dev.heatline.formats.FormatException;
import dev.heatline.formats.Formats;
import dev.heatline.formats.ReadOptions;
import dev.heatline.formats.Source;
import dev.heatline.model.Profile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.HexFormat;
import java.util.zip.GZIPInputStream;

/** The bytes of an upload as a profile. */
final class Content {

    /** What messages call it; tells nothing of the format, which is found by content. */
    static final String UPLOAD = "the upload";

    private static final String GZIP = "1f8b";
    private static final String ZSTD = "28b52ffd";

    private Content() {}

    static Profile read(String name, byte[] content, ReadOptions options) {
        try (Source source = Source.of(name, content)) {
            return Formats.read(source, options);
        }
    }

    /**
     * The content without its compression.
     *
     * @throws Refusal if it is damaged, or larger than the options allow
     */
    static byte[] unpacked(byte[] content, ReadOptions options) {
        int limit = (int) Math.min(Integer.MAX_VALUE - 16, options.maxUnpackedBytes());
        try (InputStream in = stream(content)) {
            byte[] plain = in.readNBytes(limit + 1);
            if (plain.length > limit) {
                throw new Refusal(413, "the upload unpacks to more than " + limit + " bytes");
            }
            return plain;
        } catch (IOException e) {
            throw new Refusal(422, "the upload is damaged: " + e.getMessage());
        }
    }

    /** The name of the format, for counting; {@code unknown} if it is none. */
    static String format(byte[] content) {
        try (Source start = Source.of(UPLOAD, start(content))) {
            return Formats.detect(start).name();
        } catch (FormatException | IOException e) {
            return "unknown";
        }
    }

    private static byte[] start(byte[] content) throws IOException {
        try (InputStream in = stream(content)) {
            return in.readNBytes(Format.PEEK_BYTES);
        }
    }

    private static InputStream stream(byte[] content) throws IOException {
        InputStream in = new ByteArrayInputStream(content);
        String magic = HexFormat.of().formatHex(content, 0, Math.min(4, content.length));
        if (magic.startsWith(GZIP)) {
            return new GZIPInputStream(in);
        }
        return magic.equals(ZSTD) ? new ZstdInputStream(in) : in;
    }
}
