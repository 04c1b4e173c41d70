package dev.heatline.collector.spool;

import dev.heatline.model.Profile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A queue of profiles on disk, bounded in bytes and number, that survives the death of its process
 * at any instruction. Safe for use by several threads.
 *
 * <p>A profile and the position of its source behind it are one file, which appears in one step:
 * after a crash both are there or neither, so whoever goes on reading at {@link #position} loses
 * nothing and has nothing twice. The file outlives the upload, cut off behind its head, until a
 * later one says the position of the same source.
 *
 * <p>When there is no room the oldest profiles are dropped, all but the one that may be on its way
 * to the server: whether it was taken is only known afterwards. The profile that took the room of
 * others names them and has their number and samples in its provenance (see {@link Loss}). Both
 * appear in the same step, so every loss is told by exactly one profile, and as that has an upload
 * id, it is counted once.
 */
public final class Spool implements AutoCloseable {

    /** Days of minutes of a few JVMs. */
    public static final long DEFAULT_LIMIT_BYTES = 256L << 20;

    /** Each is known in memory too: two weeks of minutes of one JVM, or a few hours of fifty. */
    private static final int MAX_ENTRIES = 20_000;

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
    record Counts(int entries, long bytes, Loss dropped, long setAside) {}

    private final SpoolFolder folder;
    private final long limitBytes;
    private final int maxEntries;
    private final Consumer<String> say;
    private final Once room;

    private final SpoolFiles files;

    /** The last entry that was handed out for its upload. */
    private long handedOutNumber;

    /** The last entry that was found to be whole. */
    private long checkedNumber;

    private Loss dropped = Loss.NONE;
    private long setAside;
    private boolean closed;

    private Spool(SpoolFolder folder, long limitBytes, int maxEntries, Consumer<String> say) {
        this.folder = folder;
        this.limitBytes = limitBytes;
        this.maxEntries = maxEntries;
        this.say = say;
        this.room = new Once(say);
        this.files = new SpoolFiles(folder);
    }

    /**
     * Opens a spool as the last process left it; makes it if there is none.
     *
     * @param say takes remarks for people, one line each
     * @throws SpoolException if the folder cannot be used; says why
     */
    public static Spool open(Path path, long limitBytes, Consumer<String> say) {
        return open(path, limitBytes, MAX_ENTRIES, say, () -> {});
    }

    /** As above, for tests that let it die before any step. */
    static Spool open(
            Path path, long limitBytes, int maxEntries, Consumer<String> say, Runnable beforeStep) {
        SpoolFolder folder = SpoolFolder.open(path, beforeStep);
        boolean opened = false;
        try {
            Spool spool = new Spool(folder, limitBytes, maxEntries, say);
            spool.setAside += spool.files.recover(say);
            opened = true;
            return spool;
        } catch (IOException e) {
            throw folder.failed("cannot be used", e);
        } finally {
            if (!opened) {
                folder.close();
            }
        }
    }

    /** Where to go on reading a source; empty if nothing of it was ever appended. */
    public synchronized Optional<String> position(String source) {
        return files.latest(source).map(file -> file.entry().position());
    }

    /** What was appended last of a source; empty if nothing ever was. */
    public synchronized Optional<Entry> last(String source) {
        return files.latest(source).map(SpoolFile::entry);
    }

    /** All sources whose positions are kept. */
    public synchronized Set<String> sources() {
        return files.sources();
    }

    /**
     * Keeps the position of a source of which nothing was read yet. Changes nothing if one is
     * already known.
     *
     * @param entry that of a profile that never was
     * @throws SpoolException if that cannot be done; then nothing has changed
     */
    public synchronized void begin(Entry entry) {
        requireOpen();
        if (files.latest(entry.source()).isPresent()) {
            return;
        }
        finish();
        try {
            SpoolFile file = SpoolFile.position(files.lastNumber() + 1, entry);
            folder.write(file.name(), file.prefix(), new byte[0]);
            files.begin(file);
        } catch (IOException e) {
            throw folder.failed("cannot be written", e);
        }
        finish();
    }

    /**
     * Forgets the position of a source that is gone for good. If this process dies while profiles
     * of the source still wait for their upload, the next one will know the position again, and has
     * to forget it again.
     */
    public synchronized void forget(String source) {
        requireOpen();
        files.forget(source);
        finish();
    }

    /**
     * Adds a profile and moves the position of its source, in one step that survives the death of
     * the process and of the machine.
     *
     * @throws SpoolException if that cannot be done; then nothing has changed
     */
    public synchronized void append(Entry entry, Profile profile) {
        requireOpen();
        finish();
        try {
            add(entry, profile);
        } catch (IOException e) {
            throw folder.failed("cannot take a profile", e);
        }
        try {
            files.finish();
        } catch (IOException e) {
            // The profile is in, so this call must not fail: the next one will try again first.
            say.accept(folder.failed("is not tidy", e).getMessage());
        }
    }

    private void add(Entry entry, Profile profile) throws IOException {
        long number = files.lastNumber() + 1;
        Body body = Body.of(profile);
        long needed = needed(number, entry, body);
        long first = mayBeOnItsWay().map(SpoolFile::bytes).orElse(0L);
        if (first + needed > limitBytes || needed > limitBytes - limitBytes / RESERVE_SHARE) {
            // No dropping makes room for it. Its position and its loss are kept.
            body = body.lost();
            needed = needed(number, entry, body);
        }
        List<SpoolFile> without = toDrop(needed);
        Loss newlyDropped = body.told().plus(sum(without, SpoolFile::own));
        without.addAll(files.lost());
        body = body.telling(sum(without, SpoolFile::ifLost));
        List<Long> numbers = without.stream().map(SpoolFile::number).toList();
        SpoolFile file = SpoolFile.of(number, entry, body, numbers);
        folder.write(file.name(), file.prefix(), body.heat());
        files.appear(file);
        dropped = dropped.plus(newlyDropped);
        if (newlyDropped.profiles() > 0) {
            room.say("the spool " + folder.path() + " is full: the oldest profiles are dropped");
        }
    }

    /** After a restart, nobody knows how far the first one got. */
    private Optional<SpoolFile> mayBeOnItsWay() {
        return files.queued(handedOutNumber).or(files::first);
    }

    private static long needed(long number, Entry entry, Body body) throws IOException {
        return SpoolFile.of(number, entry, body, List.of()).bytes() + ALLOWANCE_BYTES;
    }

    private static Loss sum(List<SpoolFile> files, Function<SpoolFile, Loss> loss) {
        return files.stream().map(loss).reduce(Loss.NONE, Loss::plus);
    }

    /** Makes room: what was set aside goes first, then the oldest profiles. */
    private List<SpoolFile> toDrop(long needed) throws IOException {
        while (files.queuedBytes() + folder.aside().bytes() + needed > limitBytes) {
            if (!folder.aside().deleteOldest()) {
                break;
            }
        }
        List<SpoolFile> drop = new ArrayList<>();
        long excess = files.queuedBytes() + needed - limitBytes;
        int tooMany = files.queued() + 1 - maxEntries;
        long spared = mayBeOnItsWay().map(SpoolFile::number).orElse(0L);
        Iterator<SpoolFile> oldest = files.queue().iterator();
        while ((excess > 0 || drop.size() < tooMany) && oldest.hasNext()) {
            SpoolFile file = oldest.next();
            if (file.number() != spared) {
                drop.add(file);
                excess -= file.bytes();
            }
        }
        return drop;
    }

    /**
     * The profile that waits longest, was not postponed and is not damaged; if all were postponed,
     * the one whose turn it is. O(its size) when it is asked for first.
     */
    synchronized Optional<SpoolFile> oldest() {
        Optional<SpoolFile> next = files.next();
        while (next.isPresent() && !isWhole(next.get())) {
            setAside(next.get(), "damaged", "is damaged");
            next = files.next();
        }
        next.ifPresent(file -> handedOutNumber = file.number());
        return next;
    }

    /** Hands this one out again only when all others have been. */
    synchronized void postpone(SpoolFile file) {
        files.postpone(file);
    }

    synchronized boolean isPostponed(SpoolFile file) {
        return files.isPostponed(file);
    }

    /** How many are postponed. */
    synchronized int postponed() {
        return files.postponed();
    }

    private boolean isWhole(SpoolFile file) {
        if (!folder.has(file.name())) {
            return false;
        }
        if (file.number() == checkedNumber) {
            return true;
        }
        try {
            boolean whole = file.isWhole(folder.path());
            checkedNumber = whole ? file.number() : 0;
            return whole;
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
        requireOpen();
        files.done(file);
        finish();
        if (files.queued() == 0) {
            room.over("the spool " + folder.path() + " is empty again");
        }
    }

    /**
     * This profile will never be uploaded: keeps it aside for people, and its loss for the next
     * profile to tell.
     *
     * @param how ending of its name, such as {@code refused}
     * @param why for people
     */
    synchronized void setAside(SpoolFile file, String how, String why) {
        requireOpen();
        finish();
        String copy = "could not be kept";
        try (InputStream body = body(file)) {
            String name = SpoolFile.name(file.number(), how + ".heat");
            copy = "is kept as " + folder.aside().copy(body, name);
        } catch (IOException e) {
            copy += " (" + SpoolFolder.reason(e) + ")";
        }
        try {
            files.lose(file);
        } catch (IOException e) {
            throw folder.failed("cannot set a profile aside", e);
        }
        setAside++;
        say.accept(file.entry().about() + " " + why + ", and " + copy);
    }

    synchronized Counts counts() {
        return new Counts(
                files.queued(), files.queuedBytes() + folder.aside().bytes(), dropped, setAside);
    }

    /** A closed one's folder may be another process's by now. */
    private void requireOpen() {
        if (closed) {
            throw new SpoolException("the spool " + folder.path() + " is closed");
        }
    }

    private void finish() {
        try {
            files.finish();
        } catch (IOException e) {
            throw folder.failed("cannot be written", e);
        }
    }

    /** Lets another process use the folder. */
    @Override
    public synchronized void close() {
        closed = true;
        folder.close();
    }
}
