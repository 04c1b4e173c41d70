package dev.heatline.collector.spool;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** The file with the token that a server asks for; read anew each time, so it can be replaced. */
record TokenFile(Path path) {

    /** What a header can carry, and a line of a server's file. */
    private static final Pattern TOKEN = Pattern.compile("[!-~]+");

    /**
     * The token.
     *
     * @throws SpoolException if there is none; says why, but nothing of what is in the file
     */
    String token() {
        try {
            String token = Files.readString(path).strip();
            if (token.isEmpty()) {
                throw new SpoolException(path + ": is empty; write the token into it");
            }
            if (TOKEN.matcher(token).matches()) {
                return token;
            }
        } catch (CharacterCodingException e) {
            throw new SpoolException(notOne(), e);
        } catch (IOException e) {
            throw new SpoolException(path + ": cannot be read: " + Ingest.reason(e), e);
        }
        throw new SpoolException(notOne());
    }

    private String notOne() {
        return path
                + ": is no token, which is one word; of the server's line ingest TOKEN, only TOKEN";
    }
}
