package dev.heatline.formats;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.model.Column;
import dev.heatline.model.Consumer;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Provenance;
import dev.heatline.model.Resource;
import dev.heatline.model.Site;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class ThreadRowsTest {

    @Property(tries = 50)
    void everyRowIsThereOnceAndInOrder(@ForAll long seed) {
        Profile profile = RandomProfiles.profile(seed, 60, false);
        for (Column column : profile.columns()) {
            ThreadRows rows = new ThreadRows(column, profile.consumerCount());
            List<Integer> found = new ArrayList<>();
            for (int thread = Column.NO_THREAD; thread < profile.consumerCount(); thread++) {
                assertThat(rows.of(thread)).isSorted();
                for (int row : rows.of(thread)) {
                    assertThat(column.thread(row)).isEqualTo(thread);
                    found.add(row);
                }
            }
            assertThat(found).doesNotHaveDuplicates().hasSize(column.rows());
        }
    }

    @Example
    void aTraceKeepsEveryOneOfManyThreads() throws IOException {
        ProfileBuilder builder = new ProfileBuilder();
        for (int i = 0; i < 20_000; i++) {
            int consumer = builder.consumer(Consumer.method("A", "m" + i, ""));
            int node = builder.child(Profile.ROOT, consumer, Site.NONE);
            int thread = builder.consumer(Consumer.thread("", "t" + i));
            builder.column(Resource.CALLS).add(node, thread, 1);
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new TraceFormat().write(builder.build(Provenance.NONE), out, WriteOptions.DEFAULT);
        assertThat(out.toString(UTF_8).lines().filter(line -> line.contains(" @ t")))
                .hasSize(20_000);
    }
}
