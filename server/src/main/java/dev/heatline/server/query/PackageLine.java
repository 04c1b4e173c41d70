package dev.heatline.server.query;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where a source file says which package it belongs to. */
final class PackageLine {

    /** Nearly every file says it here. */
    private static final int USUAL_BYTES = 4 << 10;

    /** What stands above it, mostly who owns the file, may be long, but not longer. */
    private static final int MOST_BYTES = 64 << 10;

    /** What comes so late in a beginning may go on beyond it. */
    private static final int MARGIN = 64;

    /** One thing that may stand above it: space, a comment, or an annotation of the file. */
    private static final Pattern ABOVE =
            Pattern.compile("[\\s;\ufeff]++|//[^\\n]*+|/\\*(?s:.*?)\\*/|@[\\w:.]++(\\([^)]*+\\))?");

    /** Scala may say the levels of a package one by one, and the last as an object. */
    private static final Pattern LINE =
            Pattern.compile("package\\s++(object\\s++)?([\\p{L}\\p{N}_$.`]++)");

    private PackageLine() {}

    /**
     * What was found in the beginning of a file.
     *
     * @param isSure whether it ends before the beginning does, so that more would not change it
     */
    private record Found(String folder, boolean isSure) {}

    /** The folder that files of this package are in, such as {@code com/shop/}; empty for none. */
    static String folder(InputStream file) throws IOException {
        byte[] beginning = file.readNBytes(USUAL_BYTES);
        Found found = find(beginning);
        if (found.isSure || beginning.length < USUAL_BYTES) {
            return found.folder;
        }
        byte[] more = file.readNBytes(MOST_BYTES - USUAL_BYTES);
        byte[] all = Arrays.copyOf(beginning, beginning.length + more.length);
        System.arraycopy(more, 0, all, beginning.length, more.length);
        return find(all).folder;
    }

    private static Found find(byte[] beginning) {
        String text = new String(beginning, UTF_8);
        StringBuilder folder = new StringBuilder();
        Matcher above = ABOVE.matcher(text);
        Matcher line = LINE.matcher(text);
        int at = 0;
        while (at < text.length()) {
            if (above.region(at, text.length()).lookingAt()) {
                at = above.end();
            } else if (line.region(at, text.length()).lookingAt()) {
                at = line.end();
                folder.append(line.group(2).replace("`", "").replace('.', '/')).append('/');
            } else {
                break;
            }
        }
        // What is cut off there may be a comment or annotation, or the package itself.
        boolean isCutOff = text.length() - at < MARGIN || "/@".indexOf(text.charAt(at)) >= 0;
        return new Found(folder.toString(), !isCutOff);
    }
}
