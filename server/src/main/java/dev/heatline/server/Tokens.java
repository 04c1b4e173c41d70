package dev.heatline.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Who may do what: the lines {@code read TOKEN}, {@code ingest TOKEN}, {@code measure TOKEN},
 * {@code admin TOKEN}.
 */
final class Tokens {

    /** What a token is for. Reading does not include ingesting, nor the other way round. */
    enum Right {
        READ,
        INGEST,
        /** Having JVMs changed to measure their calls; includes reading. */
        MEASURE,
        /** Includes the others. */
        ADMIN;

        boolean includes(Right wanted) {
            return this == ADMIN || this == wanted || (this == MEASURE && wanted == READ);
        }
    }

    /**
     * Who asks.
     *
     * @param number of the line in the file, which tells holders apart without telling tokens
     */
    record Holder(int number, Right right) {}

    private static final Pattern LINE = Pattern.compile("(read|ingest|measure|admin)\\s+(\\S+)");
    private static final int MIN_LENGTH = 16;

    /** Where containers get files that only they see, and that everybody there can read. */
    private static final Path SECRETS = Path.of("/run/secrets");

    private static final String BEARER = "bearer ";
    private static final String BASIC = "basic ";

    private final List<Entry> entries;

    /** The digest stands for the token, so that comparing takes as long for any guess. */
    private record Entry(Holder holder, Digest digest) {}

    private Tokens(List<Entry> entries) {
        this.entries = entries;
    }

    /**
     * @throws ServerException if the file cannot be read, can be read by everybody, or is wrong
     */
    static Tokens read(Path file) {
        return read(file, SECRETS);
    }

    /**
     * As above.
     *
     * @param secrets where files may be read by everybody, but not written
     */
    static Tokens read(Path file, Path secrets) {
        try {
            refuseOpenFile(file, secrets);
            List<Entry> entries = new ArrayList<>();
            int number = 0;
            for (String line : Files.readAllLines(file)) {
                number++;
                String text = line.strip();
                if (!text.isEmpty() && !text.startsWith("#")) {
                    entries.add(entry(file, number, text));
                }
            }
            if (entries.isEmpty()) {
                throw new ServerException(file + ": has no tokens; write lines such as read TOKEN");
            }
            return new Tokens(entries);
        } catch (IOException e) {
            throw new ServerException(file + ": cannot be read: " + e.getMessage());
        }
    }

    private static void refuseOpenFile(Path file, Path secrets) throws IOException {
        if (!Files.exists(file)) {
            throw new ServerException(file + ": there is no such file");
        }
        if (!Files.getFileStore(file).supportsFileAttributeView("posix")) {
            return;
        }
        Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
        boolean secret =
                file.toAbsolutePath().normalize().startsWith(secrets)
                        && (!Files.isWritable(file)
                                || (!permissions.contains(PosixFilePermission.OWNER_WRITE)
                                        && !permissions.contains(PosixFilePermission.GROUP_WRITE)));
        if ((permissions.contains(PosixFilePermission.OTHERS_READ) && !secret)
                || permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
            throw new ServerException(
                    file + ": everybody can read these tokens; run chmod 600 " + file);
        }
    }

    private static Entry entry(Path file, int number, String text) {
        Matcher line = LINE.matcher(text);
        if (!line.matches()) {
            throw new ServerException(
                    file
                            + ": line "
                            + number
                            + " is not read, ingest, measure or admin and a token");
        }
        if (line.group(2).length() < MIN_LENGTH) {
            throw new ServerException(
                    file
                            + ": the token in line "
                            + number
                            + " is shorter than "
                            + MIN_LENGTH
                            + " characters; openssl rand -hex 24 makes a good one");
        }
        Right right = Right.valueOf(line.group(1).toUpperCase(Locale.ROOT));
        return new Entry(new Holder(number, right), Digest.of(line.group(2)));
    }

    /** Whose token an Authorization header carries, as bearer or as the password of any user. */
    Optional<Holder> holder(String authorization) {
        Digest given = Digest.of(token(authorization));
        Optional<Holder> found = Optional.empty();
        for (Entry entry : entries) {
            if (entry.digest.equals(given)) {
                found = Optional.of(entry.holder);
            }
        }
        return found;
    }

    private static String token(String authorization) {
        String scheme = authorization.toLowerCase(Locale.ROOT);
        if (scheme.startsWith(BEARER)) {
            return authorization.substring(BEARER.length()).strip();
        }
        if (!scheme.startsWith(BASIC)) {
            return "";
        }
        try {
            String pair =
                    new String(
                            Base64.getDecoder()
                                    .decode(authorization.substring(BASIC.length()).strip()),
                            UTF_8);
            return pair.substring(pair.indexOf(':') + 1);
        } catch (IllegalArgumentException e) {
            return "";
        }
    }

    /** A SHA-256, compared in constant time. */
    private static final class Digest {
        private final byte[] bytes;

        private Digest(byte[] bytes) {
            this.bytes = bytes;
        }

        static Digest of(String token) {
            try {
                return new Digest(
                        MessageDigest.getInstance("SHA-256").digest(token.getBytes(UTF_8)));
            } catch (NoSuchAlgorithmException e) {
                throw new AssertionError("every JDK has SHA-256", e);
            }
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Digest that && MessageDigest.isEqual(bytes, that.bytes);
        }

        @Override
        public int hashCode() {
            return bytes[0];
        }
    }
}
