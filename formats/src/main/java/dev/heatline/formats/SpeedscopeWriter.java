package dev.heatline.formats;

import dev.heatline.model.Column;
import dev.heatline.model.Consumer;
import dev.heatline.model.ConsumerType;
import dev.heatline.model.FrameKind;
import dev.heatline.model.Profile;
import dev.heatline.model.Resource;
import dev.heatline.model.Site;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonEncoding;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.json.JsonFactory;

/** Writes speedscope JSON. The fields {@code heatline}, {@code consumer} and so on are ours. */
final class SpeedscopeWriter {
    static final String NOTES = "heatline";

    /** The one resource that was written. */
    static final String RESOURCE = "resource";

    /** What leads back to the consumer of a frame, where its name does not. */
    static final String CONSUMER = "consumer";

    static final String KIND = "kind";

    /** What leads back to the thread of a profile. */
    static final String THREAD = "thread";

    static final ConsumerText FRAME_TEXT = ConsumerText.dotted(ConsumerType.METHOD);
    static final ConsumerText THREAD_TEXT = ConsumerText.dotted(ConsumerType.THREAD);

    private final Profile profile;
    private final JsonGenerator json;
    private final DistinctFrames frames;

    private SpeedscopeWriter(Profile profile, JsonGenerator json) {
        this.profile = profile;
        this.json = json;
        this.frames = new DistinctFrames(profile);
    }

    static void write(Profile profile, OutputStream out, WriteOptions options) throws IOException {
        Column column = ResourceChoice.used(profile, options);
        JsonFactory factory =
                JsonFactory.builder().disable(StreamWriteFeature.AUTO_CLOSE_TARGET).build();
        try (JsonGenerator json =
                factory.createGenerator(ObjectWriteContext.empty(), out, JsonEncoding.UTF8)) {
            new SpeedscopeWriter(profile, json).file(column);
        } catch (JacksonIOException e) {
            throw e.getCause();
        }
    }

    private void file(@Nullable Column column) {
        json.writeStartObject();
        json.writeStringProperty("$schema", SpeedscopeFormat.SCHEMA);
        json.writeStringProperty("exporter", "heatline");
        json.writeArrayPropertyStart(NOTES);
        Notes.write(profile).forEach(json::writeString);
        json.writeEndArray();
        if (column != null) {
            json.writeStringProperty(RESOURCE, Escapes.escape(column.resource().name(), ""));
        }
        json.writeObjectPropertyStart("shared");
        json.writeArrayPropertyStart("frames");
        for (int frame = 0; frame < frames.size(); frame++) {
            frame(frame);
        }
        json.writeEndArray();
        json.writeEndObject();
        json.writeArrayPropertyStart("profiles");
        if (column != null) {
            ThreadRows rows = new ThreadRows(column, profile.consumerCount());
            thread(Column.NO_THREAD, column, rows.of(Column.NO_THREAD));
            for (int thread : profile.threads()) {
                thread(thread, column, rows.of(thread));
            }
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private void frame(int frame) {
        Consumer consumer = profile.consumerAt(frames.consumer(frame));
        int site = frames.site(frame);
        String name = Escapes.escape(consumer.display(), "");
        String exact = FRAME_TEXT.write(consumer);
        json.writeStartObject();
        json.writeStringProperty("name", name);
        if (Site.line(site) > 0) {
            json.writeNumberProperty("line", Site.line(site));
        }
        if (!exact.equals(name)) {
            json.writeStringProperty(CONSUMER, exact);
        }
        if (Site.kind(site) != FrameKind.UNKNOWN) {
            json.writeStringProperty(KIND, Site.kind(site).label());
        }
        json.writeEndObject();
    }

    private void thread(int id, Column column, int[] rows) {
        if (rows.length == 0) {
            return;
        }
        json.writeStartObject();
        json.writeStringProperty("type", "sampled");
        if (id == Column.NO_THREAD) {
            json.writeStringProperty("name", "all threads");
        } else {
            Consumer thread = profile.consumerAt(id);
            json.writeStringProperty("name", Escapes.escape(thread.name(), ""));
            json.writeStringProperty(THREAD, THREAD_TEXT.write(thread));
        }
        json.writeStringProperty("unit", unit(column.resource()));
        json.writeNumberProperty("startValue", 0);
        json.writeNumberProperty("endValue", Arrays.stream(rows).mapToLong(column::value).sum());
        json.writeArrayPropertyStart("samples");
        for (int row : rows) {
            stack(column.node(row));
        }
        json.writeEndArray();
        json.writeArrayPropertyStart("weights");
        for (int row : rows) {
            json.writeNumber(column.value(row));
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private void stack(int leaf) {
        int depth = 0;
        for (int node = leaf; node > Profile.ROOT; node = profile.parent(node)) {
            depth++;
        }
        int[] outermostFirst = new int[depth];
        for (int node = leaf; node > Profile.ROOT; node = profile.parent(node)) {
            outermostFirst[--depth] = frames.of(node);
        }
        json.writeArray(outermostFirst, 0, outermostFirst.length);
    }

    private static String unit(Resource resource) {
        String unit = ForeignResources.unitOf(resource);
        return unit.equals("nanoseconds") || unit.equals("bytes") ? unit : "none";
    }
}
