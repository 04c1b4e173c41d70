package dev.heatline.store;

import dev.heatline.model.Execution;
import java.util.TreeMap;

/**
 * What is kept of an execution beside its profiles, brought up to date with each of them.
 *
 * @param application the number of its application
 * @param number stands for the execution in keys
 * @param longestNanos how long its longest profile is: no profile that begins earlier than that
 *     before a time can still cover it
 * @param uploads how many uploads are in its profiles
 * @param bytes size of its profiles before compression
 * @param minutes how many profiles there are at that level; {@code hours} and {@code days} likewise
 */
record ExecutionRecord(
        long application,
        long number,
        Execution execution,
        long firstNanos,
        long lastNanos,
        long longestNanos,
        long uploads,
        long samples,
        long nodes,
        long bytes,
        long minutes,
        long hours,
        long days) {

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
                0,
                0,
                0,
                0);
    }

    /** With this profile as well. */
    ExecutionRecord plus(Level level, Head head) {
        return changed(level, head, 1);
    }

    /** Without this profile. */
    ExecutionRecord minus(Level level, Head head) {
        return changed(level, head, -1);
    }

    private ExecutionRecord changed(Level level, Head head, int sign) {
        return new ExecutionRecord(
                application,
                number,
                execution,
                firstNanos,
                lastNanos,
                longestNanos,
                uploads + sign * head.uploads(),
                samples + sign * head.samples(),
                nodes + sign * head.nodes(),
                bytes + sign * head.bodyBytes(),
                minutes + (level == Level.MINUTE ? sign : 0),
                hours + (level == Level.HOUR ? sign : 0),
                days + (level == Level.DAY ? sign : 0));
    }

    /** With the time of an upload. */
    ExecutionRecord covering(long fromNanos, long untilNanos) {
        return withTimes(Math.min(firstNanos, fromNanos), Math.max(lastNanos, untilNanos))
                .withLength(untilNanos - fromNanos);
    }

    /** With nothing left of what began before. */
    ExecutionRecord since(long nanos) {
        return withTimes(Math.max(firstNanos, nanos), lastNanos);
    }

    private ExecutionRecord withTimes(long newFirst, long newLast) {
        return new ExecutionRecord(
                application,
                number,
                execution,
                newFirst,
                newLast,
                longestNanos,
                uploads,
                samples,
                nodes,
                bytes,
                minutes,
                hours,
                days);
    }

    /** With a profile of this length. Too long a length to be a number counts as the longest. */
    ExecutionRecord withLength(long nanos) {
        return new ExecutionRecord(
                application,
                number,
                execution,
                firstNanos,
                lastNanos,
                nanos < 0 ? Long.MAX_VALUE : Math.max(longestNanos, nanos),
                uploads,
                samples,
                nodes,
                bytes,
                minutes,
                hours,
                days);
    }

    boolean isEmpty() {
        return minutes + hours + days == 0;
    }

    long profiles(Level level) {
        return switch (level) {
            case MINUTE -> minutes;
            case HOUR -> hours;
            case DAY -> days;
        };
    }

    Store.Seen seen() {
        return new Store.Seen(
                execution, Keys.time(firstNanos), Keys.time(lastNanos), uploads, samples);
    }

    byte[] toBytes() {
        return write(new Output().number(application).number(number), execution)
                .signed(firstNanos)
                .signed(lastNanos)
                .number(longestNanos)
                .number(uploads)
                .number(samples)
                .number(nodes)
                .number(bytes)
                .number(minutes)
                .number(hours)
                .number(days)
                .toBytes();
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
                in.number(),
                in.number(),
                in.number(),
                in.number());
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
