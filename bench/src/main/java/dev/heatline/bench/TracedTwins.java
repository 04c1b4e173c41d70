package dev.heatline.bench;

import dev.heatline.bench.LockTools.Traced;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What it costs an ordinary program that its locks are traced: two JVMs that do the same side by
 * side, with something switched on in one of them for a series of blocks.
 *
 * <p>The first change of a class makes a JDK 17 compile all of its code anew, whoever changes it,
 * and what compilers make of the same code differs by some percent from one time to the next. So in
 * both JVMs classes are taken anew before. That is a column of its own.
 */
final class TracedTwins implements AutoCloseable {
    /** All code of a large program is compiled by then, also on half a machine. */
    private static final Duration COMPILED = Duration.ofSeconds(60);

    /** When something was switched that has little to be compiled. */
    private static final Duration SETTLED = Duration.ofSeconds(5);

    private final Twins twins;
    private final LockTools.Heatline heatline;

    private TracedTwins(Twins twins) throws IOException {
        this.twins = twins;
        this.heatline = new LockTools.Heatline(twins.one().jvm());
    }

    static TracedTwins start(BlockPlan plan, Path jdk, String workload) throws IOException {
        return new TracedTwins(Twins.start(plan, jdk, workload));
    }

    /** What was seen of the program's waits. */
    Traced traced() {
        return heatline.traced(twins.one().feature());
    }

    /**
     * CPU time, nothing on = 1, in the order of {@link LockCost}'s columns.
     *
     * @param library of async-profiler
     * @param unchanged the agent that takes classes anew
     */
    List<Ratio> measure(Path library, Path unchanged) throws IOException {
        twins.warmUp();
        twins.goOn(COMPILED);
        double[] first = twins.series();
        new LockTools.Anew(twins.one().jvm(), unchanged).on();
        twins.goOn(COMPILED);
        double[] anew = twins.series();
        new LockTools.Anew(twins.other().jvm(), unchanged).on();
        twins.goOn(COMPILED);
        double[] before = twins.series();
        double[] again = twins.series();
        double[] with = series(heatline);
        twins.goOn(SETTLED);
        double[] after = twins.series();
        double[] async =
                series(
                        new LockTools.AsyncProfiler(
                                twins.one().jvm(), library, LockTools.AsyncProfiler.LOCKS));
        double[] jfr = series(new LockTools.JfrLocks(twins.one().target()));
        twins.goOn(SETTLED);
        double[] last = twins.series();
        return List.of(
                Ratio.of(with, again, after),
                Ratio.of(async, after, last),
                Ratio.of(jfr, after, last),
                Ratio.of(last, after),
                Ratio.of(after, before, again),
                Ratio.of(again, before),
                Ratio.of(anew, first));
    }

    private double[] series(Blocks.Switch what) throws IOException {
        what.on();
        twins.goOn(SETTLED);
        double[] ratios = twins.series();
        what.off();
        return ratios;
    }

    @Override
    public void close() {
        heatline.close();
        twins.close();
    }
}
