package dev.heatline.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerRequest;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;

/** What makes a repeated upload harmless. */
final class UploadId {
    private static final HeaderName HEADER = HeaderNames.create("Heatline-Upload-Id");
    private static final Pattern ALLOWED = Pattern.compile("[\\w.:/+=-]{1,128}");

    private UploadId() {}

    /**
     * The id the sender gives, or else one made of all it sent: who repeats a request without an id
     * repeats it as it was.
     */
    static String of(ServerRequest request, Claim claim, byte[] content) {
        Optional<String> given = request.headers().first(HEADER);
        if (given.isEmpty()) {
            return digest(claim + "?" + request.query().rawValue(), content);
        }
        if (!ALLOWED.matcher(given.get()).matches()) {
            throw new Refusal(
                    400, "Heatline-Upload-Id has up to 128 letters, digits or any of _.:/+=-");
        }
        return given.get();
    }

    /** The same for one execution's part of what was sent: an id that is given is that of all. */
    static String ofPart(ServerRequest request, Claim claim, byte[] content) {
        String id = of(request, claim, content);
        return request.headers().contains(HEADER)
                ? id + "/" + digest(claim.toString(), new byte[0])
                : id;
    }

    private static String digest(String said, byte[] content) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(said.getBytes(UTF_8));
            digest.update(content);
            return "sha256:" + HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has SHA-256", e);
        }
    }
}
