package dev.heatline.model;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Parts of a profile, by the words people choose them with. */
public final class Parts {
    private static final int THREADS_NAMED = 5;

    private Parts() {}

    /**
     * Only a method and all it calls.
     *
     * @param method as {@link MethodFinder} reads it
     * @throws ModelException if there is no such method
     */
    public static Profile below(Profile profile, String method) {
        boolean[] begins = new boolean[profile.consumerCount()];
        for (int id : MethodFinder.find(profile, method)) {
            begins[id] = true;
        }
        return Operations.focus(profile, Tasks.belowAny(profile, begins));
    }

    /**
     * Only the threads in whose name an expression is found.
     *
     * @throws ModelException if there is none
     */
    public static Profile ofThreads(Profile profile, Pattern wanted) {
        int[] threads = profile.threads();
        boolean[] matches = new boolean[profile.consumerCount()];
        boolean any = false;
        for (int thread : threads) {
            String name = profile.consumerAt(thread).name();
            matches[thread] = Regex.find(wanted.matcher(name), name);
            any |= matches[thread];
        }
        if (!any) {
            throw new ModelException(
                    "no thread matches " + wanted + "; " + names(profile, threads));
        }
        return Operations.selectThreads(profile, id -> id != Column.NO_THREAD && matches[id]);
    }

    private static String names(Profile profile, int[] threads) {
        if (threads.length == 0) {
            return "the profile does not tell threads apart";
        }
        List<String> names = new ArrayList<>();
        for (int i = 0; i < Math.min(threads.length, THREADS_NAMED); i++) {
            names.add(profile.consumerAt(threads[i]).name());
        }
        return "threads here: "
                + String.join(", ", names)
                + (threads.length > THREADS_NAMED ? ", …" : "");
    }
}
