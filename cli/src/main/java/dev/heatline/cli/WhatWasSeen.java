package dev.heatline.cli;

import dev.heatline.collector.jvm.Jvm;
import dev.heatline.collector.locks.LockAnalysis;
import dev.heatline.model.Column;
import dev.heatline.model.Profile;
import dev.heatline.model.Provenance;
import dev.heatline.model.Resource;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a recording holds and what it does not, in a line. */
record WhatWasSeen(Profile profile) {

    /** Less CPU time than this is too little to judge by. */
    private static final Duration ENOUGH = Duration.ofSeconds(1);

    /**
     * Samples of less than this share of the CPU time show something else than the program does.
     */
    private static final double NOTABLE = 0.25;

    /** CPU time that a JVM has used so far; empty if it has ended. */
    static Optional<Duration> cpuTime(Jvm jvm) {
        return ProcessHandle.of(jvm.pid()).flatMap(it -> it.info().totalCpuDuration());
    }

    /** Such as {@code wrote now.heat: 1,836 cpu-samples, 412 allocations in 10.0 s}. */
    String writtenTo(Path file) {
        String counted =
                profile.columns().stream()
                        .filter(it -> it.resource().isOccurrences() && it.total() > 0)
                        .map(it -> grouped(it.total()) + ' ' + it.resource().name())
                        .collect(Collectors.joining(", "));
        String what = counted.isEmpty() ? "nothing was seen" : counted;
        return "wrote " + file + ": " + what + length();
    }

    /** How long that was, such as {@code in 10.0 s}; empty if nobody knows. */
    String length() {
        return profile.provenance()
                .from()
                .flatMap(
                        from ->
                                profile.provenance()
                                        .until()
                                        .map(until -> Duration.between(from, until)))
                .map(it -> " in " + seconds(it.toNanos() / 1e9))
                .orElse("");
    }

    /** What the lock tracer missed, such as {@code 12 lock events lost}; empty if nothing. */
    List<String> missing() {
        Provenance provenance = profile.provenance();
        Stream<String> counted =
                Stream.of(LockAnalysis.LOST_EVENTS, LockAnalysis.UNFOLLOWED)
                        .filter(name -> provenance.count(name) > 0)
                        .map(name -> grouped(provenance.count(name)) + ' ' + name);
        Stream<String> classes =
                Stream.of(LockAnalysis.UNTOLD_CLASSES, LockAnalysis.UNRESTORED_CLASSES)
                        .filter(what -> !provenance.fact(what).isEmpty())
                        .map(what -> provenance.fact(what) + ' ' + what);
        return Stream.concat(counted, classes).toList();
    }

    /**
     * Says so where samples stand for far less than the CPU time that was used: what is not sampled
     * then cannot be told from what does not run.
     *
     * @param used by the whole JVM meanwhile
     */
    Optional<String> unsampled(Duration used) {
        double sampled =
                Stream.of("cpu-time", Resource.CPU.name())
                        .flatMap(name -> profile.column(name).stream())
                        .mapToDouble(WhatWasSeen::exact)
                        .sum();
        double seconds = used.toNanos() / 1e9;
        return used.compareTo(ENOUGH) < 0 || sampled >= NOTABLE * seconds
                ? Optional.empty()
                : Optional.of(
                        "the samples stand for "
                                + seconds(sampled)
                                + " of "
                                + seconds(seconds)
                                + " of CPU time: the rest was used by the garbage collector or the"
                                + " compiler, or where this JVM's sampler does not see it"
                                + " (docs/agent.md, What samples do not see)");
    }

    private static double exact(Column column) {
        return (double) column.total() / column.resource().perUnit();
    }

    private static String seconds(double seconds) {
        return String.format(Locale.ROOT, seconds < 1 ? "%.2f s" : "%.1f s", seconds);
    }

    private static String grouped(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }
}
