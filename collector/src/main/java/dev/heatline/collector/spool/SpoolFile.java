package dev.heatline.collector.spool;

import dev.heatline.model.Execution;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * One file of the spool: a head with everything about a profile, then the profile as {@code .heat}.
 * All numbers are big-endian:
 *
 * <pre>
 * 8 bytes  89 'S' 'P' 'O' 'O' 'L' 0A, version 1
 * int      length of the head
 * int      CRC-32C of the head
 *          the head, see {@link #head}
 *          the profile
 * </pre>
 *
 * A file that is only kept for its head is cut off behind it, which needs no room on the disk.
 *
 * @param number order of appending, unique in the spool
 * @param state what the file is kept for; the ending of its name
 * @param own the profile itself, as it counts if it never gets to the server
 * @param told the losses that the profile's provenance tells of
 * @param tells numbers of files whose loss the profile tells of, and which are done with therefore
 * @param headBytes where the profile begins
 * @param bodyBytes length of the profile
 * @param bodyCrc CRC-32C of the profile
 */
record SpoolFile(
        long number,
        State state,
        Entry entry,
        Loss own,
        Loss told,
        List<Long> tells,
        int headBytes,
        long bodyBytes,
        int bodyCrc) {

    /** What a file is kept for. Renaming changes it in one step. */
    enum State {
        /** Waits for its upload. */
        ENTRY("entry"),
        /** Will not be uploaded, which the next entry has to tell. */
        LOST("lost"),
        /** Only says how far its source was read. */
        POSITION("position");

        final String ending;

        State(String ending) {
            this.ending = ending;
        }

        static Optional<State> of(String ending) {
            return Stream.of(values()).filter(it -> it.ending.equals(ending)).findFirst();
        }
    }

    private static final byte[] MAGIC = {(byte) 0x89, 'S', 'P', 'O', 'O', 'L', '\n', 1};
    private static final int PREFIX = MAGIC.length + 2 * Integer.BYTES;

    /** No head is larger, so damage cannot make a reader ask for more memory than this. */
    private static final int MAX_HEAD = 1 << 20;

    /** The file of a profile that is about to be written. */
    static SpoolFile of(long number, Entry entry, Body body, List<Long> tells) throws IOException {
        CRC32C crc = new CRC32C();
        crc.update(body.heat());
        return new SpoolFile(
                        number,
                        State.ENTRY,
                        entry,
                        body.own(),
                        body.told(),
                        List.copyOf(tells),
                        0,
                        body.heat().length,
                        (int) crc.getValue())
                .measured();
    }

    /** The file of a position that no profile came before. */
    static SpoolFile position(long number, Entry entry) throws IOException {
        return new SpoolFile(
                        number, State.POSITION, entry, Loss.NONE, Loss.NONE, List.of(), 0, 0, 0)
                .measured();
    }

    private SpoolFile measured() throws IOException {
        int head = head().length;
        if (head > MAX_HEAD) {
            throw new IOException("its names and labels are too long");
        }
        return new SpoolFile(
                number, state, entry, own, told, tells, PREFIX + head, bodyBytes, bodyCrc);
    }

    SpoolFile as(State other) {
        return new SpoolFile(number, other, entry, own, told, tells, headBytes, bodyBytes, bodyCrc);
    }

    /** The same, without names of its own that another entry of its source has too. */
    SpoolFile sharing(Entry other) {
        if (!entry.execution().equals(other.execution())) {
            return this;
        }
        Entry same =
                new Entry(
                        entry.id(),
                        other.execution(),
                        entry.from(),
                        entry.until(),
                        other.source(),
                        entry.position());
        return new SpoolFile(number, state, same, own, told, tells, headBytes, bodyBytes, bodyCrc);
    }

    /** The name of the file. */
    String name() {
        return name(number, state.ending);
    }

    static String name(long number, String ending) {
        return String.format(Locale.ROOT, "%016d.%s", number, ending);
    }

    /** What is lost when the profile never gets to the server. */
    Loss ifLost() {
        return own.plus(told);
    }

    /** How much of the disk's room the whole file takes. */
    long bytes() {
        return headBytes + bodyBytes;
    }

    /** Everything before the profile. */
    byte[] prefix() throws IOException {
        byte[] head = head();
        CRC32C crc = new CRC32C();
        crc.update(head);
        return ByteBuffer.allocate(PREFIX + head.length)
                .put(MAGIC)
                .putInt(head.length)
                .putInt((int) crc.getValue())
                .put(head)
                .array();
    }

    private byte[] head() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeUTF(entry.id());
        out.writeUTF(entry.execution().application());
        out.writeUTF(entry.execution().version());
        out.writeUTF(entry.execution().instance());
        out.writeInt(entry.execution().labels().size());
        for (Map.Entry<String, String> label : entry.execution().labels().entrySet()) {
            out.writeUTF(label.getKey());
            out.writeUTF(label.getValue());
        }
        out.writeLong(entry.from().toEpochMilli());
        out.writeLong(entry.until().toEpochMilli());
        out.writeUTF(entry.source());
        out.writeUTF(entry.position());
        for (Loss loss : List.of(own, told)) {
            out.writeLong(loss.profiles());
            out.writeLong(loss.samples());
        }
        out.writeInt(tells.size());
        for (long told : tells) {
            out.writeLong(told);
        }
        out.writeLong(bodyBytes);
        out.writeInt(bodyCrc);
        return bytes.toByteArray();
    }

    /**
     * Reads the head of a file.
     *
     * @throws IOException if it cannot be read or is damaged
     */
    static SpoolFile read(Path path, long number, State state) throws IOException {
        try (InputStream in = Files.newInputStream(path)) {
            byte[] prefix = in.readNBytes(PREFIX);
            if (prefix.length < PREFIX || !Arrays.equals(prefix, 0, 8, MAGIC, 0, 8)) {
                throw new IOException("is no file of the spool");
            }
            ByteBuffer numbers = ByteBuffer.wrap(prefix).position(MAGIC.length);
            int length = numbers.getInt();
            int wanted = numbers.getInt();
            if (length < 0 || length > MAX_HEAD) {
                throw new IOException("its head is damaged");
            }
            byte[] head = in.readNBytes(length);
            CRC32C crc = new CRC32C();
            crc.update(head);
            if (head.length < length || (int) crc.getValue() != wanted) {
                throw new IOException("its head is damaged");
            }
            return parse(head, number, state);
        }
    }

    private static SpoolFile parse(byte[] head, long number, State state) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(head));
        String id = in.readUTF();
        String application = in.readUTF();
        String version = in.readUTF();
        String instance = in.readUTF();
        TreeMap<String, String> labels = new TreeMap<>();
        for (int left = in.readInt(); left > 0; left--) {
            String name = in.readUTF();
            labels.put(name, in.readUTF());
        }
        Execution execution = new Execution(application, version, instance, labels);
        Instant from = Instant.ofEpochMilli(in.readLong());
        Instant until = Instant.ofEpochMilli(in.readLong());
        Entry entry = new Entry(id, execution, from, until, in.readUTF(), in.readUTF());
        Loss own = new Loss(in.readLong(), in.readLong());
        Loss told = new Loss(in.readLong(), in.readLong());
        List<Long> tells = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            tells.add(in.readLong());
        }
        return new SpoolFile(
                number,
                state,
                entry,
                own,
                told,
                List.copyOf(tells),
                PREFIX + head.length,
                in.readLong(),
                in.readInt());
    }

    /** The profile as it lies in the folder. */
    InputStream body(Path folder) throws IOException {
        InputStream in = Files.newInputStream(folder.resolve(name()));
        try {
            in.skipNBytes(headBytes);
            return in;
        } catch (IOException e) {
            in.close();
            throw e;
        }
    }

    /** Whether the profile lies in the folder as it was written. O(its size). */
    boolean isWhole(Path folder) throws IOException {
        if (Files.size(folder.resolve(name())) != bytes()) {
            return false;
        }
        CRC32C crc = new CRC32C();
        byte[] piece = new byte[1 << 14];
        try (InputStream in = body(folder)) {
            for (int read = in.read(piece); read > 0; read = in.read(piece)) {
                crc.update(piece, 0, read);
            }
        }
        return (int) crc.getValue() == bodyCrc;
    }
}
