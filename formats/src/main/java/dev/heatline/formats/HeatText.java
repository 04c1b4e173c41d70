package dev.heatline.formats;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Text as bytes, exactly: UTF-8, and lone surrogates as if they were characters. Java's own encoder
 * would turn those into question marks, and two names into one.
 */
public final class HeatText {

    private HeatText() {}

    public static byte[] encode(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        return text.equals(new String(utf8, StandardCharsets.UTF_8)) ? utf8 : encodeEach(text);
    }

    public static String decode(byte[] bytes, int from, int length) {
        return hasSurrogate(bytes, from, from + length)
                ? decodeEach(bytes, from, from + length)
                : new String(bytes, from, length, StandardCharsets.UTF_8);
    }

    private static byte[] encodeEach(String text) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int[] points = text.codePoints().toArray();
        for (int point : points) {
            if (isSurrogate(point)) {
                out.write(0xE0 | point >> 12);
                out.write(0x80 | (point >> 6 & 0x3F));
                out.write(0x80 | (point & 0x3F));
            } else {
                out.writeBytes(Character.toString(point).getBytes(StandardCharsets.UTF_8));
            }
        }
        return out.toByteArray();
    }

    private static String decodeEach(byte[] bytes, int from, int to) {
        StringBuilder text = new StringBuilder();
        int start = from;
        for (int at = from; at + 2 < to; at++) {
            if (startsSurrogate(bytes, at)) {
                text.append(new String(bytes, start, at - start, StandardCharsets.UTF_8));
                text.append((char) (0xD000 | (bytes[at + 1] & 0x3F) << 6 | (bytes[at + 2] & 0x3F)));
                start = at + 3;
                at += 2;
            }
        }
        return text.append(new String(bytes, start, to - start, StandardCharsets.UTF_8)).toString();
    }

    private static boolean hasSurrogate(byte[] bytes, int from, int to) {
        for (int at = from; at + 2 < to; at++) {
            if (bytes[at] == (byte) 0xED && startsSurrogate(bytes, at)) {
                return true;
            }
        }
        return false;
    }

    /** ED A0 to ED BF begin what would be the surrogates D800 to DFFF. */
    private static boolean startsSurrogate(byte[] bytes, int at) {
        return bytes[at] == (byte) 0xED && (bytes[at + 1] & 0xE0) == 0xA0;
    }

    private static boolean isSurrogate(int point) {
        return point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
    }
}
