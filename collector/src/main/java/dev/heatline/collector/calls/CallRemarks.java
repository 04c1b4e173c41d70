package dev.heatline.collector.calls;

import dev.heatline.wire.CallSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What measuring did and cost, for people. */
final class CallRemarks {
    /** Facts that are only worth a line where there are any. */
    private static final List<String> TROUBLES =
            List.of(
                    CallSnapshot.SKIPPED,
                    CallSnapshot.NOT_RESTORED,
                    CallSnapshot.UNSEEN,
                    CallSnapshot.UNSEEN_OBJECTS,
                    CallSnapshot.FOLDED,
                    CallSnapshot.LATE,
                    CallSnapshot.UNSIZED,
                    CallSnapshot.UNTRACKED,
                    CallSnapshot.COUNTED);

    private CallRemarks() {}

    /** One line each. */
    static List<String> of(CallSnapshot seen) {
        List<String> lines = new ArrayList<>();
        lines.add(
                String.format(
                        Locale.ROOT,
                        "methods changed: %,d, in %,d of the classes, which took %.1f ms",
                        count(seen, CallSnapshot.METHODS),
                        count(seen, CallSnapshot.CLASSES),
                        count(seen, CallSnapshot.CHANGING_MICROS) / 1e3));
        if (!seen.trees().isEmpty()) {
            lines.add(
                    String.format(
                            Locale.ROOT,
                            "a call costs %.0f ns, %.0f ns of it inside, which is subtracted; that"
                                    + " was %.1f %% of the time below the roots",
                            seen.costs().pair(),
                            seen.costs().inner(),
                            100 * seen.overhead()));
        }
        if (seen.counts().containsKey(CallSnapshot.COLLECTIONS)) {
            lines.add(survival(seen));
        }
        lines.addAll(seen.remarks());
        for (String name : TROUBLES) {
            if (count(seen, name) > 0) {
                lines.add(String.format(Locale.ROOT, "%,d %s", count(seen, name), name));
            }
        }
        if (count(seen, CallSnapshot.TOO_DEAR) > 0) {
            lines.add(
                    "measuring took more than its budget and has ended; a larger one lets it go on");
        }
        if (count(seen, CallSnapshot.ENDED) > 0) {
            lines.add("another tool has ended measuring");
        }
        return lines;
    }

    private static String survival(CallSnapshot seen) {
        long collections = count(seen, CallSnapshot.COLLECTIONS);
        if (collections == 0) {
            return "no garbage collection was seen, so it is not known what survives: measure longer,"
                    + " or have one made by jcmd PID GC.run";
        }
        long tracked = 0;
        for (CallSnapshot.Tree tree : seen.trees()) {
            for (CallSnapshot.Made made : tree.made()) {
                tracked += made.survival().tracked();
            }
        }
        return String.format(
                Locale.ROOT,
                "objects tracked: %,d; garbage collections seen: %,d",
                tracked,
                collections);
    }

    private static long count(CallSnapshot seen, String name) {
        return seen.counts().getOrDefault(name, 0L);
    }
}
