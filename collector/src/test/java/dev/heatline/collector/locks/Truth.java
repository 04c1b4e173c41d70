package dev.heatline.collector.locks;

import dev.heatline.collector.locks.Log.Hold;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** All accounts put together: nanoseconds by who is to blame for what, and in how many pieces. */
final class Truth {
    private final Map<String, Long> nanos = new TreeMap<>();
    private final Map<String, Integer> pieces = new TreeMap<>();
    private final List<Hold> holds = new ArrayList<>();

    Truth(List<Log> logs) {
        List<Hold> all = new ArrayList<>();
        logs.forEach(log -> all.addAll(log.holds));
        all.sort(Comparator.comparingLong(hold -> hold.until));
        for (Hold hold : all) {
            Hold whole = hold;
            while (!holds.isEmpty() && holds.get(holds.size() - 1).until > whole.from) {
                Hold last = holds.remove(holds.size() - 1);
                if (!last.log.shares || !hold.log.shares) {
                    throw new IllegalStateException("two had the lock");
                }
                whole = new Hold(hold.log, Math.min(last.from, whole.from), hold.until);
            }
            holds.add(whole);
        }
        for (Log log : logs) {
            log.waits.forEach(wait -> divide("blocked ", wait));
            log.waitsAgain.forEach(wait -> divide("again ", wait));
            log.woken.forEach((role, times) -> times.forEach(it -> add("waited " + role, it)));
        }
    }

    /** Such as {@code blocked asLong 1234567 in 89}. */
    List<String> told() {
        List<String> lines = new ArrayList<>();
        nanos.forEach((what, sum) -> lines.add(what + " " + sum + " in " + pieces.get(what)));
        return lines;
    }

    private void add(String what, long more) {
        nanos.merge(what, more, Long::sum);
        pieces.merge(what, 1, Integer::sum);
    }

    /** Every holder is to blame for its time; while nobody held it, it was handed over. */
    private void divide(String what, long[] wait) {
        long rest = Math.max(0, wait[1] - wait[0]);
        for (int i = firstAfter(wait[0]); i < holds.size() && rest > 0; i++) {
            Hold held = holds.get(i);
            long part = Math.min(wait[1], held.until) - Math.max(wait[0], held.from);
            if (part > 0) {
                add(what + held.log.role, part);
                rest -= part;
            }
        }
        add(what + "nobody", rest);
    }

    /** The first that ends after a moment; they are sorted. */
    private int firstAfter(long moment) {
        int low = 0;
        int high = holds.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (holds.get(middle).until <= moment) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
