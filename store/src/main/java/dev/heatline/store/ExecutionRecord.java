package dev.heatline.store;

import dev.heatline.model.Execution;
import java.util.TreeMap;

/**
 * What is kept of an execution beside its profiles, brought up to date with each of them.
 *
 * @param application the number of its application
 * @param number stands for the execution in keys
 * @param uploads how many uploads are in its profiles
 * @param bytes size of its profiles before compression
 * @param minutes what there is at that level; {@code hours} and {@code days} likewise
 */
record ExecutionRecord(
        long application,
        long number,
        Execution execution,
        long firstNanos,
        long lastNanos,
        long uploads,
        long samples,
        long nodes,
        long bytes,
        Kept minutes,
        Kept hours,
        Kept days) {

    /**
     * What there is of an execution at one level.
     *
     * @param longestNanos how long the longest profile is: none that begins earlier than that
     *     before a time can still cover it
     */
    record Kept(long profiles, long longestNanos) {
        private static final Kept NOTHING = new Kept(0, 0);

        /** Too long a length to be a number counts as the longest. */
        Kept plus(long nanos) {
            return new Kept(
                    profiles + 1, nanos < 0 ? Long.MAX_VALUE : Math.max(longestNanos, nanos));
        }

        Kept minusOne() {
            return profiles == 1 ? NOTHING : new Kept(profiles - 1, longestNanos);
        }
    }

    static ExecutionRecord of(long application, long number, Execution execution) {
        return new ExecutionRecord(
                application,
                number,
                execution,
                Long.MAX_VALUE,
                Long.MIN_VALUE,
                0,
                0,
                0,
                0,
                Kept.NOTHING,
                Kept.NOTHING,
                Kept.NOTHING);
    }

    /** With this profile as well. */
    ExecutionRecord plus(Level level, long fromNanos, Head head) {
        return changed(level, at(level).plus(head.untilNanos() - fromNanos), head, 1);
    }

    /** Without this profile. */
    ExecutionRecord minus(Level level, Head head) {
        return changed(level, at(level).minusOne(), head, -1);
    }

    private ExecutionRecord changed(Level level, Kept kept, Head head, int sign) {
        return new ExecutionRecord(
                application,
                number,
                execution,
                firstNanos,
                lastNanos,
                uploads + sign * head.uploads(),
                samples + sign * head.samples(),
                nodes + sign * head.nodes(),
                bytes + sign * head.bodyBytes(),
                level == Level.MINUTE ? kept : minutes,
                level == Level.HOUR ? kept : hours,
                level == Level.DAY ? kept : days);
    }

    /** With the time of an upload. */
    ExecutionRecord covering(long fromNanos, long untilNanos) {
        return withTimes(Math.min(firstNanos, fromNanos), Math.max(lastNanos, untilNanos));
    }

    /** With nothing left of what began before or ended after. */
    ExecutionRecord within(long fromNanos, long untilNanos) {
        return withTimes(Math.max(firstNanos, fromNanos), Math.min(lastNanos, untilNanos));
    }

    private ExecutionRecord withTimes(long newFirst, long newLast) {
        return new ExecutionRecord(
                application,
                number,
                execution,
                newFirst,
                newLast,
                uploads,
                samples,
                nodes,
                bytes,
                minutes,
                hours,
                days);
    }

    boolean isEmpty() {
        return minutes.profiles + hours.profiles + days.profiles == 0;
    }

    Kept at(Level level) {
        return switch (level) {
            case MINUTE -> minutes;
            case HOUR -> hours;
            case DAY -> days;
        };
    }

    /** When a profile of a level that lasts until a time can have begun. */
    long earliest(Level level, long untilNanos) {
        long earliest = untilNanos - at(level).longestNanos;
        return earliest > untilNanos ? Long.MIN_VALUE : earliest;
    }

    Store.Seen seen() {
        return new Store.Seen(
                execution, Keys.time(firstNanos), Keys.time(lastNanos), uploads, samples);
    }

    byte[] toBytes() {
        Output out =
                write(new Output().number(application).number(number), execution)
                        .signed(firstNanos)
                        .signed(lastNanos)
                        .number(uploads)
                        .number(samples)
                        .number(nodes)
                        .number(bytes);
        Level.ALL.forEach(level -> out.number(at(level).profiles).number(at(level).longestNanos));
        return out.toBytes();
    }

    static Output write(Output out, Execution execution) {
        return out.text(execution.application())
                .text(execution.version())
                .text(execution.instance())
                .texts(execution.labels().keySet())
                .texts(execution.labels().values());
    }

    static ExecutionRecord read(byte[] bytes) {
        Input in = new Input(bytes);
        return new ExecutionRecord(
                in.number(),
                in.number(),
                execution(in),
                in.signed(),
                in.signed(),
                in.number(),
                in.number(),
                in.number(),
                in.number(),
                new Kept(in.number(), in.number()),
                new Kept(in.number(), in.number()),
                new Kept(in.number(), in.number()));
    }

    private static Execution execution(Input in) {
        String application = in.text();
        String version = in.text();
        String instance = in.text();
        TreeMap<String, String> labels = new TreeMap<>();
        var names = in.texts();
        var values = in.texts();
        for (int i = 0; i < names.size(); i++) {
            labels.put(names.get(i), values.get(i));
        }
        return new Execution(application, version, instance, labels);
    }
}
