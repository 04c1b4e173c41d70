package dev.heatline.collector.spool;

import dev.heatline.collector.spool.SpoolFile.State;
import dev.heatline.formats.HeatFormat;
import dev.heatline.formats.WriteOptions;
import dev.heatline.model.Column;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Provenance;
import dev.heatline.model.Resource;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A queue of profiles on disk, bounded in bytes, that survives the death of its process at any
 * instruction. Safe for use by several threads.
 *
 * <p>A profile and the position of its source behind it are one file, which appears in one step:
 * after a crash both are there or neither, so whoever goes on reading at {@link #position} loses
 * nothing and has nothing twice. The file outlives the upload, cut off behind its head, until a
 * later one says the position of the same source.
 *
 * <p>When there is no room the oldest profiles are dropped, all but the very first, which may be on
 * its way to the server: whether it was taken is only known afterwards. The profile that took the
 * room of others names them and has their number and samples in its provenance (see {@link Loss}).
 * Both appear in the same step, so every loss is told by exactly one profile, and as that has an
 * upload id, it is counted once.
 */
public final class Spool implements AutoCloseable {

    /** Days of minutes of a few JVMs. */
    public static final long DEFAULT_LIMIT_BYTES = 256L << 20;

    /** What the counts of a loss may add to a file. */
    private static final int ALLOWANCE_BYTES = 256;

    /** One of so many parts of the room is only for telling what there was no room for. */
    private static final int RESERVE_SHARE = 16;

    /**
     * How much there is and what became of the rest.
     *
     * @param entries profiles that wait for their upload
     * @param bytes what they and the files set aside take on disk
     * @param dropped what there was no room for, since the start of this process
     * @param setAside damaged or refused profiles, likewise
     */
    public record Counts(int entries, long bytes, Loss dropped, long setAside) {}

    private final SpoolFolder folder;
    private final long limitBytes;
    private final Consumer<String> say;

    private final TreeMap<Long, SpoolFile> queue = new TreeMap<>();

    /** Files whose loss no profile tells yet. */
    private final TreeMap<Long, SpoolFile> lost = new TreeMap<>();

    /** The file that says the position of each source. */
    private final Map<String, SpoolFile> latest = new HashMap<>();

    /** Files that are done with, still to be deleted or cut off. */
    private final ArrayDeque<SpoolFile> done = new ArrayDeque<>();

    private boolean unforced;
    private long lastNumber;
    private long queueBytes;
    private long checkedNumber;
    private Loss dropped = Loss.NONE;
    private long setAside;

    private Spool(SpoolFolder folder, long limitBytes, Consumer<String> say) {
        this.folder = folder;
        this.limitBytes = limitBytes;
        this.say = say;
    }

    /**
     * Opens a spool as the last process left it; makes it if there is none.
     *
     * @param say takes remarks for people, one line each
     * @throws SpoolException if the folder cannot be used; says why
     */
    public static Spool open(Path path, long limitBytes, Consumer<String> say) {
        SpoolFolder folder = SpoolFolder.open(path);
        try {
            Spool spool = new Spool(folder, limitBytes, say);
            spool.recover();
            return spool;
        } catch (IOException e) {
            folder.close();
            throw folder.failed("cannot be used", e);
        } catch (SpoolException e) {
            folder.close();
            throw e;
        }
    }

    private void recover() throws IOException {
        List<SpoolFile> all = new ArrayList<>();
        for (String name : folder.names()) {
            int dot = name.indexOf('.');
            if (dot <= 0 || !name.substring(0, dot).matches("\\d{16}")) {
                continue;
            }
            long number = Long.parseLong(name.substring(0, dot));
            lastNumber = Math.max(lastNumber, number);
            for (State state : State.values()) {
                if (name.equals(SpoolFile.name(number, state.ending))) {
                    readHead(name, number, state).ifPresent(all::add);
                }
            }
        }
        for (SpoolFile file : all) {
            latest.merge(file.entry().source(), file, (a, b) -> a.number() > b.number() ? a : b);
            switch (file.state()) {
                case ENTRY -> enqueue(file);
                case LOST -> {
                    lost.put(file.number(), file);
                    folder.truncate(file.name(), file.headBytes());
                }
                case POSITION -> done.add(file);
            }
        }
        all.forEach(this::finishWithThoseToldBy);
        finish();
    }

    private Optional<SpoolFile> readHead(String name, long number, State state) throws IOException {
        try {
            return Optional.of(SpoolFile.read(folder.path().resolve(name), number, state));
        } catch (IOException e) {
            Path where = folder.moveAside(name, name + ".damaged");
            setAside++;
            say.accept(
                    folder.path().resolve(name)
                            + " "
                            + SpoolFolder.reason(e)
                            + ": set aside as "
                            + where);
            return Optional.empty();
        }
    }

    private void enqueue(SpoolFile file) {
        queue.put(file.number(), file);
        queueBytes += file.bytes();
    }

    private void dequeue(SpoolFile file) {
        if (queue.remove(file.number()) != null) {
            queueBytes -= file.bytes();
        }
    }

    /** Where to go on reading a source; empty if nothing of it was ever appended. */
    public synchronized Optional<String> position(String source) {
        return Optional.ofNullable(latest.get(source)).map(file -> file.entry().position());
    }

    /** What was appended last of a source; empty if nothing ever was. */
    public synchronized Optional<Entry> last(String source) {
        return Optional.ofNullable(latest.get(source)).map(SpoolFile::entry);
    }

    /** All sources whose positions are kept. */
    public synchronized Set<String> sources() {
        return new TreeSet<>(latest.keySet());
    }

    /**
     * Forgets the position of a source that is gone for good. If this process dies while profiles
     * of the source still wait for their upload, the next one will know the position again, and has
     * to forget it again.
     */
    public synchronized void forget(String source) {
        SpoolFile file = latest.remove(source);
        if (file != null && file.state() == State.POSITION) {
            done.add(file);
        }
        finishNow();
    }

    /**
     * Adds a profile and moves the position of its source, in one step that survives the death of
     * the process and of the machine.
     *
     * @throws SpoolException if that cannot be done; then nothing has changed
     */
    public synchronized void append(Entry entry, Profile profile) {
        finishNow();
        try {
            add(entry, profile);
        } catch (IOException e) {
            throw folder.failed("cannot take a profile", e);
        }
        try {
            finish();
        } catch (IOException e) {
            // The profile is in, so this call must not fail: the next one will try again first.
            say.accept(folder.failed("is not tidy", e).getMessage());
        }
    }

    private void add(Entry entry, Profile profile) throws IOException {
        long number = lastNumber + 1;
        Loss own = new Loss(1, samples(profile));
        Profile kept = profile;
        byte[] body = heat(kept);
        long needed =
                SpoolFile.of(number, entry, own, Loss.NONE, List.of(), body).bytes()
                        + ALLOWANCE_BYTES;
        long first = queue.isEmpty() ? 0 : queue.firstEntry().getValue().bytes();
        Loss told = Loss.NONE;
        if (first + needed > limitBytes || needed > limitBytes - limitBytes / RESERVE_SHARE) {
            // No dropping makes room for it. Its position and its loss are kept.
            told = own;
            own = Loss.NONE;
            kept = new ProfileBuilder().build(profile.provenance());
            body = heat(kept);
            needed =
                    SpoolFile.of(number, entry, own, Loss.NONE, List.of(), body).bytes()
                            + ALLOWANCE_BYTES;
        }
        List<SpoolFile> without = toDrop(needed);
        Loss newlyDropped = told.plus(sum(without, SpoolFile::own));
        without.addAll(lost.values());
        told = told.plus(sum(without, SpoolFile::ifLost));
        if (!told.equals(Loss.NONE)) {
            body = heat(kept.withProvenance(telling(kept.provenance(), told)));
        }
        List<Long> numbers = without.stream().map(SpoolFile::number).toList();
        SpoolFile file = SpoolFile.of(number, entry, own, told, numbers, body);
        folder.write(file.name(), file.prefix(), body);
        unforced = true;
        lastNumber = number;
        dropped = dropped.plus(newlyDropped);
        enqueue(file);
        SpoolFile before = latest.put(entry.source(), file);
        if (before != null && before.state() == State.POSITION) {
            done.add(before);
        }
        finishWithThoseToldBy(file);
    }

    private static Loss sum(List<SpoolFile> files, Function<SpoolFile, Loss> loss) {
        return files.stream().map(loss).reduce(Loss.NONE, Loss::plus);
    }

    private static Provenance telling(Provenance provenance, Loss loss) {
        return provenance
                .plusCount(Loss.PROFILES, loss.profiles())
                .plusCount(Loss.SAMPLES, loss.samples());
    }

    /** Makes room: what was set aside goes first, then the oldest profiles but the first. */
    private List<SpoolFile> toDrop(long needed) throws IOException {
        while (queueBytes + folder.asideBytes() + needed > limitBytes) {
            if (!folder.deleteOldestAside()) {
                break;
            }
        }
        List<SpoolFile> drop = new ArrayList<>();
        long excess = queueBytes + needed - limitBytes;
        for (SpoolFile file : queue.values()) {
            if (excess > 0 && file.number() > queue.firstKey()) {
                drop.add(file);
                excess -= file.bytes();
            }
        }
        return drop;
    }

    private static long samples(Profile profile) {
        return profile.column(Resource.SAMPLES.name()).map(Column::total).orElse(0L);
    }

    private static byte[] heat(Profile profile) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        new HeatFormat().write(profile, bytes, WriteOptions.DEFAULT);
        return bytes.toByteArray();
    }

    private void finishWithThoseToldBy(SpoolFile teller) {
        for (long number : teller.tells()) {
            SpoolFile file = queue.containsKey(number) ? queue.get(number) : lost.get(number);
            if (file != null) {
                dequeue(file);
                lost.remove(number);
                done.add(file);
            }
        }
    }

    /**
     * The profile that waits longest and is not damaged. O(its size) when it is asked for first.
     */
    synchronized Optional<SpoolFile> oldest() {
        while (!queue.isEmpty()) {
            SpoolFile file = queue.firstEntry().getValue();
            if (file.number() == checkedNumber || isWhole(file)) {
                checkedNumber = file.number();
                return Optional.of(file);
            }
            setAside(file, "damaged", "is damaged");
        }
        return Optional.empty();
    }

    private boolean isWhole(SpoolFile file) {
        try {
            return folder.has(file.name()) && file.isWhole(folder.path());
        } catch (IOException e) {
            if (String.valueOf(e.getMessage()).contains("Input/output error")) {
                return false;
            }
            throw folder.failed("cannot be read", e);
        }
    }

    /** The profile as {@code .heat}. */
    synchronized InputStream body(SpoolFile file) throws IOException {
        return file.body(folder.path());
    }

    /** The server has this profile: it is done with. */
    synchronized void remove(SpoolFile file) {
        dequeue(file);
        done.add(file);
        finishNow();
    }

    /**
     * This profile will never be uploaded: keeps it aside for people, and its loss for the next
     * profile to tell.
     *
     * @param how ending of its name, such as {@code refused}
     * @param why for people
     */
    synchronized void setAside(SpoolFile file, String how, String why) {
        finishNow();
        String copy = "could not be kept";
        try (InputStream body = body(file)) {
            String name = SpoolFile.name(file.number(), how + ".heat");
            copy = "is kept as " + folder.copyAside(body, name);
        } catch (IOException e) {
            copy += " (" + SpoolFolder.reason(e) + ")";
        }
        SpoolFile remains = file.as(State.LOST);
        try {
            if (folder.has(file.name())) {
                folder.rename(file.name(), remains.name());
                folder.truncate(remains.name(), file.headBytes());
            }
        } catch (IOException e) {
            throw folder.failed("cannot set a profile aside", e);
        }
        dequeue(file);
        lost.put(file.number(), remains);
        latest.replace(file.entry().source(), file, remains);
        setAside++;
        Entry entry = file.entry();
        say.accept(
                "the profile of "
                        + entry.execution().application()
                        + " from "
                        + entry.from()
                        + " "
                        + why
                        + ", and "
                        + copy);
    }

    public synchronized Counts counts() {
        return new Counts(queue.size(), queueBytes + folder.asideBytes(), dropped, setAside);
    }

    private void finishNow() {
        try {
            finish();
        } catch (IOException e) {
            throw folder.failed("cannot be written", e);
        }
    }

    /** Does what is left to do for steps that are already decided. May be repeated. */
    private void finish() throws IOException {
        if (unforced) {
            folder.force();
            unforced = false;
        }
        while (!done.isEmpty()) {
            SpoolFile file = done.peek();
            String source = file.entry().source();
            if (!file.equals(latest.get(source)) || !folder.has(file.name())) {
                folder.delete(file.name());
            } else if (file.state() == State.POSITION) {
                folder.truncate(file.name(), file.headBytes());
            } else {
                SpoolFile remains = file.as(State.POSITION);
                folder.rename(file.name(), remains.name());
                latest.put(source, remains);
                done.addLast(remains);
            }
            done.remove();
        }
    }

    /** Lets another process use the folder. */
    @Override
    public synchronized void close() {
        folder.close();
    }
}
