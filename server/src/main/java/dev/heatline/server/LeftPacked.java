package dev.heatline.server;

import io.helidon.http.encoding.ContentDecoder;
import io.helidon.http.encoding.ContentEncoder;
import io.helidon.http.encoding.ContentEncoding;
import java.util.Set;

/**
 * Content that the web server leaves as it comes: it is unpacked where uploads are read, within
 * their limits.
 */
final class LeftPacked implements ContentEncoding {

    @Override
    public Set<String> ids() {
        return Set.of("gzip", "zstd");
    }

    @Override
    public boolean supportsDecoding() {
        return true;
    }

    @Override
    public ContentDecoder decoder() {
        return ContentDecoder.NO_OP;
    }

    @Override
    public boolean supportsEncoding() {
        return false;
    }

    @Override
    public ContentEncoder encoder() {
        return ContentEncoder.NO_OP;
    }

    @Override
    public String name() {
        return "left-packed";
    }

    @Override
    public String type() {
        return "left-packed";
    }
}
