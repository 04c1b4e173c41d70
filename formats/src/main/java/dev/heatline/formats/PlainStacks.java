package dev.heatline.formats;

import dev.heatline.model.Column;
import dev.heatline.model.ColumnBuilder;
import dev.heatline.model.Consumer;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Provenance;
import dev.heatline.model.Site;

/** Stacks without lines and descriptors: what looks the same becomes the same. */
final class PlainStacks {

    private PlainStacks() {}

    /** A Profile of this column alone. O(nodes + rows). */
    static Profile of(Profile profile, Column column) {
        ProfileBuilder builder = new ProfileBuilder().consumerLabel(profile.consumerLabel());
        int[] newConsumer = new int[profile.consumerCount()];
        for (int id = 0; id < newConsumer.length; id++) {
            newConsumer[id] = builder.consumer(withoutDescriptor(profile.consumerAt(id)));
        }
        int[] newNode = new int[profile.nodeCount()];
        for (int node = 1; node < newNode.length; node++) {
            newNode[node] =
                    builder.child(
                            newNode[profile.parent(node)],
                            newConsumer[profile.consumer(node)],
                            Site.withoutLine(profile.site(node)));
        }
        ColumnBuilder rows = builder.column(column.resource());
        for (int row = 0; row < column.rows(); row++) {
            int thread = column.thread(row);
            rows.add(
                    newNode[column.node(row)],
                    thread == Column.NO_THREAD ? thread : newConsumer[thread],
                    column.value(row));
        }
        return builder.build(Provenance.NONE);
    }

    private static Consumer withoutDescriptor(Consumer consumer) {
        return new Consumer(consumer.type(), consumer.owner(), consumer.name(), "");
    }
}
