package dev.heatline.server.query;

import dev.heatline.model.Column;
import dev.heatline.model.ColumnBuilder;
import dev.heatline.model.ContentionBuilder;
import dev.heatline.model.MethodFinder;
import dev.heatline.model.ModelException;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Regex;
import dev.heatline.model.TaskDefinition;
import dev.heatline.model.Tasks;

/**
 * What root and task mean for contentions, in which two threads have a part: the call chain of the
 * one whose time it was. That is who had to wait; for the time that a lock was held, who held it.
 *
 * <p>A contention is kept whole or not at all, so nothing counts twice where both chains have the
 * method that was asked for.
 */
final class ContentionPart {

    /** Kind, class, lock and duration stand above all call chains. */
    private static final int LOCK_LEVELS = 4;

    private final Profile profile;
    private final boolean held;

    private ContentionPart(Profile profile, boolean held) {
        this.profile = profile;
        this.held = held;
    }

    /**
     * The contentions that are meant, and what else the profile of the chosen threads holds.
     *
     * @throws ModelException if there is no such method in the profile
     */
    static Profile of(Chosen chosen, boolean held) {
        Filter filter = chosen.filter();
        Profile profile = chosen.profile();
        ContentionPart part = new ContentionPart(profile, held);
        if (filter.root().isPresent() && !chosen.isEmpty()) {
            profile = part.in(part.below(filter.root().get()));
            part = new ContentionPart(profile, held);
        }
        if (!filter.tasks().isEmpty() && !chosen.isEmpty()) {
            ContentionPart rest = part;
            profile = part.in(Regex.within(Filter.LONGEST_SEARCH, () -> rest.ofTasks(filter)));
        }
        return profile;
    }

    /** For each node whether it is a method or was called by it. */
    private boolean[] below(String root) {
        boolean[] begins = new boolean[profile.consumerCount()];
        MethodFinder.find(profile, ShortName.method(profile, root))
                .forEach(method -> begins[method] = true);
        boolean[] selected = new boolean[profile.nodeCount()];
        for (int node = 1; node < selected.length; node++) {
            selected[node] = selected[profile.parent(node)] || begins[profile.consumer(node)];
        }
        return selected;
    }

    private boolean[] ofTasks(Filter filter) {
        Tasks tasks = Tasks.of(profile, TaskDefinition.parseAll(filter.tasks()));
        return tasks.select(tasks.names());
    }

    /** The profile without contentions of threads that were elsewhere; their places stay. */
    private Profile in(boolean[] selected) {
        boolean[] kept = kept(selected);
        ProfileBuilder builder = new ProfileBuilder().consumerLabel(profile.consumerLabel());
        int[] newConsumer = new int[profile.consumerCount()];
        for (int id = 0; id < newConsumer.length; id++) {
            newConsumer[id] = builder.consumer(profile.consumerAt(id));
        }
        int[] newNode = new int[profile.nodeCount()];
        for (int node = 1; node < newNode.length; node++) {
            newNode[node] =
                    builder.child(
                            newNode[profile.parent(node)],
                            newConsumer[profile.consumer(node)],
                            profile.site(node));
        }
        for (Column column : profile.columns()) {
            ColumnBuilder target = builder.column(column.resource());
            for (int row = 0; row < column.rows(); row++) {
                if (kept[column.node(row)]) {
                    int thread = column.thread(row);
                    target.add(
                            newNode[column.node(row)],
                            thread == Column.NO_THREAD ? thread : newConsumer[thread],
                            column.value(row));
                }
            }
        }
        return builder.build(profile.provenance());
    }

    /** For each node below that of all contentions whether the thread was in the selection. */
    private boolean[] kept(boolean[] selected) {
        boolean[] kept = new boolean[profile.nodeCount()];
        boolean[] ofOwner = new boolean[kept.length];
        int[] depth = new int[kept.length];
        int root = profile.idOf(ContentionBuilder.ROOT);
        for (int node = 1; node < kept.length; node++) {
            int parent = profile.parent(node);
            boolean begins = parent == Profile.ROOT;
            if (begins ? profile.consumer(node) != root : depth[parent] == 0) {
                continue;
            }
            depth[node] = depth[parent] + 1;
            ofOwner[node] =
                    ofOwner[parent]
                            || (depth[node] > LOCK_LEVELS + 1
                                    && !profile.consumerOf(node).isMethod());
            kept[node] = (ofOwner[node] && !held) ? kept[parent] : selected[node];
        }
        return kept;
    }
}
