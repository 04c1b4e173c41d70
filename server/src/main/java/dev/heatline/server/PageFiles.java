package dev.heatline.server;

import io.helidon.http.Header;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Method;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;

/**
 * The files of the page, kept in memory as they are and packed. There are few, and no name from
 * outside leads to any other.
 */
final class PageFiles {
    private static final String FOLDER = "/dev/heatline/web/page/";

    private record Name(String file, String type) {}

    private static final Map<String, Name> NAMES =
            Map.of(
                    "/", new Name("index.html", "text/html; charset=utf-8"),
                    "/page.js", new Name("page.js", "text/javascript; charset=utf-8"),
                    "/page.css", new Name("page.css", "text/css; charset=utf-8"),
                    "/flame.css", new Name("flame.css", "text/css; charset=utf-8"),
                    "/icon.svg", new Name("icon.svg", "image/svg+xml"));

    /** In place of those that every answer has. */
    private static final List<Header> HEADERS =
            List.of(
                    HeaderValues.create(
                            "Content-Security-Policy",
                            "default-src 'none'; script-src 'self'; style-src 'self'; img-src"
                                    + " 'self'; connect-src 'self'; base-uri 'none'; form-action"
                                    + " 'self'; frame-ancestors 'none'"),
                    HeaderValues.create("X-Content-Type-Options", "nosniff"),
                    HeaderValues.create("Referrer-Policy", "same-origin"),
                    // Kept by the browser, but never shown without asking whether it is the newest.
                    HeaderValues.create("Cache-Control", "no-cache"),
                    HeaderValues.create("Vary", "Accept-Encoding"));

    private static final Pattern TAKES_GZIP =
            Pattern.compile("(^|[,\\s])gzip\\s*($|,|;\\s*q=(1|0\\.0*[1-9]))");

    private final Map<String, PageFile> files = new HashMap<>();

    private static final class PageFile {
        private final String type;
        private final byte[] plain;
        private final byte[] packed;

        /** Weak, since it is the same for both. */
        private final String tag;

        private PageFile(String type, byte[] plain) throws IOException {
            this.type = type;
            this.plain = plain;
            this.packed = packed(plain);
            this.tag = "W/\"" + digest(plain) + '"';
        }
    }

    /** Reads all files. */
    PageFiles() {
        NAMES.forEach(
                (path, name) -> {
                    try (InputStream in =
                            PageFiles.class.getResourceAsStream(FOLDER + name.file())) {
                        if (in != null) {
                            files.put(path, new PageFile(name.type(), in.readAllBytes()));
                        }
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
    }

    /** Whether a path is that of a file of the page. */
    static boolean has(String path) {
        return NAMES.containsKey(path);
    }

    void send(ServerRequest request, ServerResponse response) {
        String path = request.prologue().uriPath().path();
        if (!has(path)) {
            response.next();
            return;
        }
        PageFile file = files.get(path);
        if (file == null) {
            throw new Refusal(404, "this build has no page");
        }
        HEADERS.forEach(response::header);
        response.header(HeaderNames.ETAG, file.tag);
        String known = request.headers().first(HeaderNames.IF_NONE_MATCH).orElse("");
        if (known.contains(file.tag)) {
            response.status(304);
            response.send();
            return;
        }
        response.header(HeaderNames.CONTENT_TYPE, file.type);
        String taken = request.headers().first(HeaderNames.ACCEPT_ENCODING).orElse("");
        boolean pack = TAKES_GZIP.matcher(taken).find();
        if (pack) {
            response.header(HeaderNames.CONTENT_ENCODING, "gzip");
        }
        byte[] content = pack ? file.packed : file.plain;
        if (request.prologue().method().equals(Method.HEAD)) {
            // The web server would send what it is given.
            response.header(HeaderNames.CONTENT_LENGTH, Integer.toString(content.length));
            response.send();
        } else {
            response.send(content);
        }
    }

    private static byte[] packed(byte[] plain) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(plain);
        }
        return packed.toByteArray();
    }

    private static String digest(byte[] content) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(content), 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has SHA-256", e);
        }
    }
}
