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

    /** Where the tree of contentions begins, and where it ends; the same if there is none. */
    private final int first;

    private final int end;

    private ContentionPart(Profile profile, boolean held) {
        this.profile = profile;
        this.held = held;
        int root = profile.idOf(ContentionBuilder.ROOT);
        int node = 1;
        while (node < profile.nodeCount() && profile.consumer(node) != root) {
            node = profile.end(node);
        }
        this.first = node;
        this.end = node < profile.nodeCount() ? profile.end(node) : node;
    }

    /**
     * The contentions that are meant; without root and task, all that the chosen threads did.
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

    /** The contentions of threads that were in the selection, with all of their places. */
    private Profile in(boolean[] selected) {
        ProfileBuilder builder = new ProfileBuilder().consumerLabel(profile.consumerLabel());
        int[] newNode = new int[profile.nodeCount()];
        for (int node = first; node < end; node++) {
            newNode[node] =
                    builder.child(
                            newNode[profile.parent(node)],
                            builder.consumer(profile.consumerOf(node)),
                            profile.site(node));
        }
        boolean[] kept = kept(selected);
        for (Column column : profile.columns()) {
            ColumnBuilder target = builder.column(column.resource());
            for (int row = 0; row < column.rows(); row++) {
                if (kept[column.node(row)]) {
                    int thread = column.thread(row);
                    target.add(
                            newNode[column.node(row)],
                            thread == Column.NO_THREAD
                                    ? thread
                                    : builder.consumer(profile.consumerAt(thread)),
                            column.value(row));
                }
            }
        }
        return builder.build(profile.provenance());
    }

    /** For each node of a contention whether the thread whose time it was is in the selection. */
    private boolean[] kept(boolean[] selected) {
        boolean[] kept = new boolean[profile.nodeCount()];
        boolean[] ofOwner = new boolean[kept.length];
        int[] level = new int[kept.length];
        for (int node = first + 1; node < end; node++) {
            int parent = profile.parent(node);
            level[node] = level[parent] + 1;
            boolean isOwner = level[node] > LOCK_LEVELS && !profile.consumerOf(node).isMethod();
            ofOwner[node] = ofOwner[parent] || isOwner;
            kept[node] = (ofOwner[node] && !held) ? kept[parent] : selected[node];
        }
        return kept;
    }
}
