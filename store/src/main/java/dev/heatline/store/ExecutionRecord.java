package dev.heatline.store;

import java.util.TreeMap;

/**
 * What is kept of an execution beside its profiles, brought up to date with each of them.
 *
 * @param number stands for the execution in keys
 * @param longestNanos how long its longest profile is: no profile that begins earlier than that
 *     before a time can still cover it
 * @param uploads how many uploads are in its profiles
 * @param minutes how many profiles there are at that level; {@code hours} and {@code days} likewise
 */
record ExecutionRecord(
        long number,
        Execution execution,
        long firstNanos,
        long lastNanos,
        long longestNanos,
        long uploads,
        long samples,
        long nodes,
        long minutes,
        long hours,
        long days) {

    static ExecutionRecord of(long number, Execution execution) {
        return new ExecutionRecord(
                number, execution, Long.MAX_VALUE, Long.MIN_VALUE, 0, 0, 0, 0, 0, 0, 0);
    }

    /** With one more profile. */
    ExecutionRecord plus(Level level, long fromNanos, Head head) {
        return new ExecutionRecord(
                number,
                execution,
                Math.min(firstNanos, fromNanos),
                Math.max(lastNanos, head.untilNanos()),
                Math.max(longestNanos, head.untilNanos() - fromNanos),
                uploads + head.uploads(),
                samples + head.samples(),
                nodes + head.nodes(),
                minutes + (level == Level.MINUTE ? 1 : 0),
                hours + (level == Level.HOUR ? 1 : 0),
                days + (level == Level.DAY ? 1 : 0));
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
        return write(new Output().number(number), execution)
                .signed(firstNanos)
                .signed(lastNanos)
                .number(longestNanos)
                .number(uploads)
                .number(samples)
                .number(nodes)
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
                execution(in),
                in.signed(),
                in.signed(),
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
