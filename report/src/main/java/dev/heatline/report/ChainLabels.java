package dev.heatline.report;

import dev.heatline.model.Contentions;
import dev.heatline.model.Profile;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * Call chains in one line each: the innermost method, those callers that tell a chain from its
 * siblings in the tree, and the number of callers above them.
 */
final class ChainLabels {
    private final Profile profile;

    ChainLabels(Profile profile) {
        this.profile = profile;
    }

    /** Anything but a call chain is called what it is. O(siblings). */
    String of(int node) {
        String[] chain = chain(node);
        StringBuilder label = new StringBuilder(chain[0]);
        int last = 0;
        for (int frame : forks(node, chain)) {
            label.append(frame == last + 1 ? "" : Contentions.CALLED_BY + "…");
            label.append(Contentions.CALLED_BY).append(chain[frame]);
            last = frame;
        }
        int above = chain.length - 1 - last;
        return above == 0 ? label.toString() : label.append(" [+" + above + "]").toString();
    }

    private String[] chain(int node) {
        return profile.consumerOf(node).display().split(Contentions.CALLED_BY, -1);
    }

    /** Where siblings that were the same as this chain go on in another way. */
    private Iterable<Integer> forks(int node, String[] chain) {
        TreeSet<Integer> forks = new TreeSet<>();
        if (chain.length > 1) {
            for (int sibling : siblings(node)) {
                String[] other = chain(sibling);
                int same = 0;
                while (same < Math.min(chain.length, other.length)
                        && chain[same].equals(other[same])) {
                    same++;
                }
                if (same > 0 && same < chain.length) {
                    forks.add(same);
                }
            }
        }
        return forks;
    }

    private List<Integer> siblings(int node) {
        List<Integer> siblings = new ArrayList<>();
        int parent = profile.parent(node);
        for (int at = parent + 1; at < profile.end(parent); at = profile.end(at)) {
            if (at != node) {
                siblings.add(at);
            }
        }
        return siblings;
    }
}
