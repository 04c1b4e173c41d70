package dev.heatline.collector.spool;

import dev.heatline.collector.spool.SpoolFile.State;
import dev.heatline.model.Execution;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The files of a spool by what they are kept for, in memory as on disk. A step is decided when a
 * file appears or gets another name; what follows from it is done by {@link #finish}, or by the
 * next process if this one dies before.
 */
final class SpoolFiles {
    private static final Pattern NAME = Pattern.compile("(\\d{16})\\.(.+)");

    private final SpoolFolder folder;
    private final TreeMap<Long, SpoolFile> queue = new TreeMap<>();

    /** Numbers of those that wait until all others have been tried, in the order of their turns. */
    private final LinkedHashSet<Long> postponed = new LinkedHashSet<>();

    /** Files whose loss no profile tells yet. */
    private final TreeMap<Long, SpoolFile> lost = new TreeMap<>();

    /** The file that says the position of each source. */
    private final Map<String, SpoolFile> latest = new HashMap<>();

    /** Files that are done with, still to be deleted or cut off. */
    private final ArrayDeque<SpoolFile> done = new ArrayDeque<>();

    /** Whether the folder has changes that might not survive the death of the machine. */
    private boolean unforced;

    private long lastNumber;
    private long queuedBytes;

    SpoolFiles(SpoolFolder folder) {
        this.folder = folder;
    }

    /**
     * Finds what the last process left, and finishes what it had decided.
     *
     * @param say told of each file that is damaged
     * @return how many these are
     */
    int recover(Consumer<String> say) throws IOException {
        List<SpoolFile> all = new ArrayList<>();
        Map<String, SpoolFile> bySource = new HashMap<>();
        int damaged = 0;
        for (String name : folder.names()) {
            Matcher matcher = NAME.matcher(name);
            if (!matcher.matches()) {
                continue;
            }
            long number = Long.parseLong(matcher.group(1));
            lastNumber = Math.max(lastNumber, number);
            Optional<State> state = State.of(matcher.group(2));
            if (state.isPresent()) {
                Path path = folder.path().resolve(name);
                try {
                    SpoolFile file = SpoolFile.read(path, number, state.get());
                    SpoolFile first = bySource.putIfAbsent(file.entry().source(), file);
                    all.add(first == null ? file : file.sharing(first.entry()));
                } catch (IOException e) {
                    damaged++;
                    Path where = folder.aside().move(path, name + ".damaged");
                    say.accept(path + " " + SpoolFolder.reason(e) + ": set aside as " + where);
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
        all.forEach(this::doneWithThoseToldBy);
        finish();
        return damaged;
    }

    /** The file that says the position of a source. */
    Optional<SpoolFile> latest(String source) {
        return Optional.ofNullable(latest.get(source));
    }

    Set<String> sources() {
        return new TreeSet<>(latest.keySet());
    }

    long lastNumber() {
        return lastNumber;
    }

    /** The oldest of what is to be uploaded. */
    Optional<SpoolFile> first() {
        return Optional.ofNullable(queue.firstEntry()).map(Map.Entry::getValue);
    }

    /**
     * What is to be uploaded next: the oldest, or if all are postponed the one whose turn it is.
     */
    Optional<SpoolFile> next() {
        return queue.values().stream()
                .filter(file -> !isPostponed(file))
                .findFirst()
                .or(() -> postponed.stream().findFirst().flatMap(this::queued));
    }

    /**
     * Its turn comes again after that of all others. Its execution's others, which will most likely
     * fare no better, go with it; but each comes first at some time.
     */
    void postpone(SpoolFile file) {
        List<Long> alike =
                postponed.stream()
                        .filter(number -> isOf(file.entry().execution(), number))
                        .toList();
        alike.forEach(postponed::addLast);
        if (queue.containsKey(file.number())) {
            postponed.addLast(file.number());
        }
    }

    private boolean isOf(Execution execution, long number) {
        return queued(number).map(it -> it.entry().execution().equals(execution)).orElse(false);
    }

    boolean isPostponed(SpoolFile file) {
        return postponed.contains(file.number());
    }

    /** How many are postponed. */
    int postponed() {
        return postponed.size();
    }

    /** Everything that is to be uploaded, oldest first. */
    Collection<SpoolFile> queue() {
        return queue.values();
    }

    /** What is to be uploaded, by its number. */
    Optional<SpoolFile> queued(long number) {
        return Optional.ofNullable(queue.get(number));
    }

    int queued() {
        return queue.size();
    }

    long queuedBytes() {
        return queuedBytes;
    }

    Collection<SpoolFile> lost() {
        return lost.values();
    }

    /** An entry was written: it is in the queue, and those it tells of are done with. */
    void appear(SpoolFile file) {
        unforced = true;
        lastNumber = file.number();
        enqueue(file);
        SpoolFile before = latest.put(file.entry().source(), file);
        if (before != null && before.state() == State.POSITION) {
            done.add(before);
        }
        doneWithThoseToldBy(file);
    }

    /** A position was written, the first of its source. */
    void begin(SpoolFile file) {
        unforced = true;
        lastNumber = file.number();
        latest.put(file.entry().source(), file);
    }

    private void doneWithThoseToldBy(SpoolFile teller) {
        for (long number : teller.tells()) {
            SpoolFile file = queue.containsKey(number) ? queue.get(number) : lost.remove(number);
            if (file != null) {
                done(file);
            }
        }
    }

    private void enqueue(SpoolFile file) {
        queue.put(file.number(), file);
        queuedBytes += file.bytes();
    }

    private void dequeue(SpoolFile file) {
        if (queue.remove(file.number()) != null) {
            queuedBytes -= file.bytes();
            postponed.remove(file.number());
        }
    }

    /** The profile in this file is of no use any more. */
    void done(SpoolFile file) {
        dequeue(file);
        done.add(file);
    }

    /** An entry will not be uploaded: its loss is left for the next one to tell. */
    void lose(SpoolFile file) throws IOException {
        SpoolFile remains = file.as(State.LOST);
        boolean there = folder.has(file.name());
        if (there) {
            folder.rename(file.name(), remains.name());
            unforced = true;
        }
        dequeue(file);
        lost.put(file.number(), remains);
        latest.replace(file.entry().source(), file, remains);
        if (there) {
            cutOff(remains);
        }
    }

    /** The position of this source is of no use any more. */
    void forget(String source) {
        SpoolFile file = latest.remove(source);
        if (file != null && file.state() == State.POSITION) {
            done.add(file);
        }
    }

    /** Does what is left to do for steps that are already decided. May be repeated. */
    void finish() throws IOException {
        force();
        while (!done.isEmpty()) {
            SpoolFile file = done.peek();
            String source = file.entry().source();
            if (!file.equals(latest.get(source)) || !folder.has(file.name())) {
                folder.delete(file.name());
            } else if (file.state() == State.POSITION) {
                cutOff(file);
            } else {
                SpoolFile remains = file.as(State.POSITION);
                folder.rename(file.name(), remains.name());
                unforced = true;
                latest.put(source, remains);
                done.addLast(remains);
            }
            done.remove();
        }
    }

    /**
     * Keeps only the head. An entry that is cut off before it is renamed would be a damaged one.
     */
    private void cutOff(SpoolFile file) throws IOException {
        force();
        folder.truncate(file.name(), file.headBytes());
    }

    private void force() throws IOException {
        if (unforced) {
            folder.force();
            unforced = false;
        }
    }
}
