package dev.heatline.model;

import java.util.Arrays;

/** Copies paths under a root, each node once per root. */
final class PathCopier {
    private final Profile profile;
    private final ProfileBuilder builder;
    private final int[] newConsumer;
    private final int[] copied;
    private final int[] copiedUnder;
    private int root;
    private int[] pending = new int[64];

    PathCopier(Profile profile, ProfileBuilder builder, int[] newConsumer) {
        this.profile = profile;
        this.builder = builder;
        this.newConsumer = newConsumer;
        this.copied = new int[profile.nodeCount()];
        this.copiedUnder = new int[profile.nodeCount()];
        Arrays.fill(copiedUnder, Profile.NO_NODE);
    }

    void under(int newRoot) {
        root = newRoot;
        copied[Profile.ROOT] = newRoot;
        copiedUnder[Profile.ROOT] = newRoot;
    }

    int copy(int node) {
        int depth = 0;
        for (int at = node; copiedUnder[at] != root; at = profile.parent(at)) {
            if (depth == pending.length) {
                pending = Arrays.copyOf(pending, depth * 2);
            }
            pending[depth++] = at;
        }
        while (depth > 0) {
            int at = pending[--depth];
            copied[at] =
                    builder.child(
                            copied[profile.parent(at)],
                            newConsumer[profile.consumer(at)],
                            profile.site(at));
            copiedUnder[at] = root;
        }
        return copied[node];
    }
}
