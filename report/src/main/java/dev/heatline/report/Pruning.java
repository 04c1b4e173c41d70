package dev.heatline.report;

import dev.heatline.model.Column;
import dev.heatline.model.Operations;
import dev.heatline.model.Profile;
import java.util.Arrays;

/**
 * Leaves out contexts that matter little. In a comparison a context counts by the larger of its two
 * shares, so that code which vanished stays as long as code which is new. What is left out stays
 * where it stood, below a node {@link dev.heatline.model.Consumer#PRUNED}.
 */
final class Pruning {
    private final Profile profile;

    /**
     * For each node the share of the total that it and all below it have: the larger of both sides.
     * Never more than that of the node above, so what is left out is left out with all below it.
     */
    private final double[] share;

    private Pruning(Profile profile, double[] share) {
        this.profile = profile;
        this.share = share;
    }

    static Pruning of(Measurement measured) {
        Profile profile = measured.profile();
        double[] share = new double[profile.nodeCount()];
        measured.column().ifPresent(column -> raise(share, profile, column));
        measured.baseline().ifPresent(column -> raise(share, profile, column));
        return new Pruning(profile, share);
    }

    private static void raise(double[] share, Profile profile, Column column) {
        if (column.total() == 0) {
            return;
        }
        long[] cum = profile.inclusive(column.self(share.length));
        for (int node = 0; node < share.length; node++) {
            share[node] = Math.max(share[node], (double) cum[node] / column.total());
        }
    }

    /** The share below which contexts have to go so that no more than {@code limit} remain. */
    double shareOfLargest(int limit) {
        if (share.length <= limit) {
            return 0;
        }
        double[] sorted = share.clone();
        Arrays.sort(sorted);
        int least = sorted.length - limit;
        // Equal contexts stay or go together.
        while (least < sorted.length - 1 && sorted[least] == sorted[least - 1]) {
            least++;
        }
        return sorted[least];
    }

    /** The Profile without the contexts below this share; itself if the share is 0. */
    Profile below(double minimum) {
        if (minimum == 0) {
            return profile;
        }
        boolean[] kept = new boolean[share.length];
        for (int node = 0; node < kept.length; node++) {
            kept[node] = node == Profile.ROOT || share[node] >= minimum;
        }
        return Operations.keep(profile, kept);
    }
}
