package dev.heatline.agent.boot;

import org.jspecify.annotations.Nullable;

/** Called by injected code where a method begins and ends of which only the times are wanted. */
public final class RegionHooks {
    private static volatile @Nullable RegionTimes[] regions = new @Nullable RegionTimes[0];
    private static int first;

    private RegionHooks() {}

    /** What is handed to {@link #end} by the same call. */
    public static long begin() {
        return System.nanoTime();
    }

    /**
     * The call ends, with or without an exception.
     *
     * @param one the first object that it was given, and so on; null if there are fewer
     */
    public static void end(
            long begin,
            int method,
            @Nullable Object one,
            @Nullable Object two,
            @Nullable Object three,
            @Nullable Object four) {
        long took = System.nanoTime() - begin;
        RegionTimes times = times(method);
        if (times != null && times.add(begin, took)) {
            times.addSlow(took, one, two, three, four);
        }
    }

    /**
     * From now on calls are of a new measurement.
     *
     * @param lowest the lowest number of its methods; lower ones are of calls that outlived others
     */
    public static synchronized void start(int lowest) {
        clear();
        first = lowest;
    }

    /** Calls of this method are taken note of from now on. */
    public static synchronized void add(int method) {
        if (times(method) != null) {
            return;
        }
        int place = method - first;
        @Nullable RegionTimes[] all = regions;
        @Nullable RegionTimes[] more = new @Nullable RegionTimes[Math.max(all.length, place + 1)];
        System.arraycopy(all, 0, more, 0, all.length);
        more[place] = new RegionTimes();
        regions = more;
    }

    /** The times of a method; null if it is none of this measurement's. */
    public static @Nullable RegionTimes times(int method) {
        @Nullable RegionTimes[] all = regions;
        int place = method - first;
        return place >= 0 && place < all.length ? all[place] : null;
    }

    /** Forgets everything; calls that are still under way are nobody's. */
    public static synchronized void clear() {
        regions = new @Nullable RegionTimes[0];
    }
}
