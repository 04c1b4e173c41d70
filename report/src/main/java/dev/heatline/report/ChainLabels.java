package dev.heatline.report;

import dev.heatline.model.Contentions;
import dev.heatline.model.Profile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * Call chains in one line each: the innermost method, those callers that tell a chain from its
 * siblings in the tree, and the number of callers above them.
 */
final class ChainLabels {
    private final Profile profile;

    /** The children of nodes that a label was wanted for, by their innermost method. */
    private final Map<Integer, Map<String, Group>> children = new HashMap<>();

    ChainLabels(Profile profile) {
        this.profile = profile;
    }

    /**
     * Anything but a call chain is called what it is. O(siblings) for the first one below a parent,
     * then O(siblings with the same innermost method).
     */
    String of(int node) {
        String display = profile.consumerOf(node).display();
        if (!display.contains(Contentions.CALLED_BY)) {
            return display;
        }
        String[] chain = split(display);
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

    private static String[] split(String display) {
        return display.split(Contentions.CALLED_BY, -1);
    }

    /** Where siblings that were the same as this chain go on in another way. */
    private Set<Integer> forks(int node, String[] chain) {
        Map<String, Group> siblings = children.computeIfAbsent(profile.parent(node), this::grouped);
        return Objects.requireNonNull(siblings.get(chain[0])).forks(chain);
    }

    private Map<String, Group> grouped(int parent) {
        Map<String, Group> groups = new HashMap<>();
        for (int at = parent + 1; at < profile.end(parent); at = profile.end(at)) {
            String display = profile.consumerOf(at).display();
            int end = display.indexOf(Contentions.CALLED_BY);
            String innermost = end < 0 ? display : display.substring(0, end);
            groups.computeIfAbsent(innermost, _ -> new Group()).displays.add(display);
        }
        return groups;
    }

    /** Siblings with the same innermost method, split once one of them is asked for. */
    private static final class Group {
        private final List<String> displays = new ArrayList<>();
        private final List<String[]> sorted = new ArrayList<>();

        /** How many frames each chain has in common with the next in order. */
        private int[] common = {};

        /** The frames at which others leave this chain, which are fewest for those farthest off. */
        Set<Integer> forks(String[] chain) {
            sort();
            int place = Collections.binarySearch(sorted, chain, Arrays::compare);
            Set<Integer> forks = new TreeSet<>();
            int same = chain.length;
            for (int i = place; i < common.length && same > 1; i++) {
                same = Math.min(same, common[i]);
                forks.add(same);
            }
            same = chain.length;
            for (int i = place - 1; i >= 0 && same > 1; i--) {
                same = Math.min(same, common[i]);
                forks.add(same);
            }
            forks.remove(chain.length);
            return forks;
        }

        private void sort() {
            if (!sorted.isEmpty()) {
                return;
            }
            // The same frames are in many chains.
            Map<String, String> frames = new HashMap<>();
            for (String display : displays) {
                String[] chain = split(display);
                Arrays.setAll(chain, i -> frames.computeIfAbsent(chain[i], frame -> frame));
                sorted.add(chain);
            }
            sorted.sort(Arrays::compare);
            common = new int[sorted.size() - 1];
            for (int i = 0; i < common.length; i++) {
                int other = Arrays.mismatch(sorted.get(i), sorted.get(i + 1));
                common[i] = other < 0 ? sorted.get(i).length : other;
            }
        }
    }
}
