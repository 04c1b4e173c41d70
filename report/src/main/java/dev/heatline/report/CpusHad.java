package dev.heatline.report;

import dev.heatline.model.Provenance;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What the profiled process had of the CPUs, and what was taken from it, in words. */
final class CpusHad {
    private static final double MICROS_PER_SECOND = 1e6;

    private CpusHad() {}

    /** Empty if it is not known. */
    static String line(Provenance provenance) {
        long steal = provenance.count(Provenance.STEAL_MICROS);
        long cpu = steal + provenance.count(Provenance.CORRECTED_MICROS);
        if (cpu == 0) {
            return "";
        }
        List<String> parts = new ArrayList<>();
        parts.add(seconds(cpu) + " on CPUs");
        if (steal > 0) {
            parts.add(
                    String.format(
                            Locale.ROOT,
                            "%s of it stolen by the hypervisor (%.1f %%)",
                            seconds(steal),
                            100 * provenance.stealShare()));
        }
        long waited = provenance.count(Provenance.RUN_QUEUE_MICROS);
        if (waited > 0) {
            parts.add(seconds(waited) + " waiting for one");
        }
        long throttled = provenance.count(Provenance.THROTTLED_MICROS);
        if (throttled > 0) {
            parts.add(seconds(throttled) + " throttled by a CPU limit");
        }
        return String.join(", ", parts);
    }

    /** Empty if not so much was stolen that times mislead. */
    static String warning(Provenance provenance) {
        double share = provenance.stealShare();
        return share < Provenance.NOTABLE_STEAL
                ? ""
                : String.format(
                        Locale.ROOT,
                        "warning: the hypervisor stole %.1f %% of the CPU time; times taken by the"
                                + " clock are too long by that",
                        100 * share);
    }

    private static String seconds(long micros) {
        return String.format(Locale.ROOT, "%.2f s", micros / MICROS_PER_SECOND);
    }
}
