package dev.heatline.collector.threads;

import dev.heatline.collector.jvm.OneLine;
import dev.heatline.collector.proc.Proc;
import dev.heatline.collector.proc.Schedule;
import dev.heatline.collector.proc.Stat;
import dev.heatline.collector.proc.SystemTimes;
import dev.heatline.wire.ProcessKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Looks at the threads of one process again and again. Each look reads one small file of every
 * thread that was seen before, and two of every new one.
 */
public final class ThreadReader {
    private final Proc proc;
    private final ProcessKey process;
    private Map<Long, Look.Times> known = new HashMap<>();

    public ThreadReader(Proc proc, ProcessKey process) {
        this.proc = proc;
        this.process = process;
    }

    /** Empty if the process has ended, is hidden from us, or this is not Linux. */
    public Optional<Look> look() {
        OptionalLong ticks = proc.uptimeTicks();
        Optional<SystemTimes> system = proc.system();
        // Before its threads: what they use meanwhile must not look like that of an ended one.
        Optional<Stat> stat = proc.process(process.pid()).filter(this::isSame);
        if (ticks.isEmpty() || system.isEmpty() || stat.isEmpty()) {
            return Optional.empty();
        }
        List<Look.Times> threads = new ArrayList<>();
        for (long tid : proc.threads(process.pid())) {
            read(tid).ifPresent(threads::add);
        }
        known = new HashMap<>();
        threads.forEach(thread -> known.put(thread.key().tid(), thread));
        return Optional.of(
                new Look(ticks.getAsLong(), system.get(), stat.get().cpuNanos(), threads));
    }

    private boolean isSame(Stat stat) {
        return !stat.hasEnded() && String.valueOf(stat.startTicks()).equals(process.started());
    }

    /** Empty if it has ended meanwhile. */
    private Optional<Look.Times> read(long tid) {
        Optional<Schedule> schedule = proc.schedule(process.pid(), tid);
        Look.Times before = known.get(tid);
        // One whose time went back is another thread with the same number.
        if (before != null
                && schedule.isPresent()
                && schedule.get().cpuNanos() >= before.cpuNanos()) {
            return Optional.of(times(before.key(), before.name(), schedule.get()));
        }
        return proc.thread(process.pid(), tid)
                .map(
                        stat ->
                                times(
                                        new Look.Key(tid, stat.startTicks()),
                                        OneLine.of(stat.name()),
                                        schedule.orElse(new Schedule(stat.cpuNanos(), 0))));
    }

    private static Look.Times times(Look.Key key, String name, Schedule schedule) {
        return new Look.Times(key, name, schedule.cpuNanos(), schedule.runQueueNanos());
    }
}
