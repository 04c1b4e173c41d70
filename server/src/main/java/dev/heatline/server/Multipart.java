package dev.heatline.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Content of the type multipart/form-data (RFC 7578), as far as uploads of files use it. */
final class Multipart {
    private static final Pattern BOUNDARY =
            Pattern.compile(
                    "multipart/form-data\\s*;.*?boundary=(?:\"([^\"]{1,70})\"|([^\\s;\"]{1,70})).*",
                    Pattern.CASE_INSENSITIVE);
    private static final Pattern NAME =
            Pattern.compile(
                    "content-disposition:[^\r\n]*?\\bname=\"([^\"\r\n]*)\"",
                    Pattern.CASE_INSENSITIVE);
    private static final byte[] HEADERS_END = "\r\n\r\n".getBytes(US_ASCII);
    private static final int MAX_PARTS = 16;
    private static final int MAX_HEADERS_BYTES = 4096;

    private Multipart() {}

    static boolean isType(String contentType) {
        return contentType.regionMatches(true, 0, "multipart/", 0, 10);
    }

    /**
     * The parts by name; of several with the same name, the last.
     *
     * @throws Refusal if the content is not of this form
     */
    static Map<String, byte[]> parts(String contentType, byte[] content) {
        Matcher type = BOUNDARY.matcher(contentType);
        if (!type.matches()) {
            throw new Refusal(415, "of multipart content, only multipart/form-data is read");
        }
        String boundary = type.group(1) == null ? type.group(2) : type.group(1);
        byte[] delimiter = ("\r\n--" + boundary).getBytes(US_ASCII);
        Map<String, byte[]> parts = new LinkedHashMap<>();
        // The first delimiter has no line before it.
        int at = indexOf(content, Arrays.copyOfRange(delimiter, 2, delimiter.length), 0);
        int from = at + delimiter.length - 2;
        while (at >= 0 && !isLast(content, from)) {
            int headersEnd = indexOf(content, HEADERS_END, from);
            int end = indexOf(content, delimiter, from);
            if (headersEnd < 0 || end < headersEnd || headersEnd - from > MAX_HEADERS_BYTES) {
                throw damaged();
            }
            String headers = new String(content, from, headersEnd - from, ISO_8859_1);
            Matcher name = NAME.matcher(headers);
            if (!name.find() || parts.size() == MAX_PARTS) {
                throw damaged();
            }
            int body = Math.min(headersEnd + HEADERS_END.length, end);
            parts.put(name.group(1), Arrays.copyOfRange(content, body, end));
            at = end;
            from = end + delimiter.length;
        }
        if (at < 0) {
            throw damaged();
        }
        return parts;
    }

    private static boolean isLast(byte[] content, int at) {
        return at + 1 < content.length && content[at] == '-' && content[at + 1] == '-';
    }

    private static int indexOf(byte[] content, byte[] wanted, int from) {
        int last = content.length - wanted.length;
        for (int at = from; at <= last; at++) {
            if (content[at] == wanted[0]
                    && Arrays.equals(content, at, at + wanted.length, wanted, 0, wanted.length)) {
                return at;
            }
        }
        return -1;
    }

    private static Refusal damaged() {
        return new Refusal(400, "the multipart content is damaged");
    }
}
