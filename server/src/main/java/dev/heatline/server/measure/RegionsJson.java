package dev.heatline.server.measure;

import dev.heatline.model.Consumer;
import dev.heatline.wire.RegionSnapshot;
import dev.heatline.wire.RegionSnapshot.Bucket;
import dev.heatline.wire.RegionSnapshot.Call;
import dev.heatline.wire.RegionSnapshot.Region;
import dev.heatline.wire.RegionSnapshot.SlowCall;
import java.time.Instant;
import java.util.List;
import tools.jackson.core.JsonGenerator;

/** How long single methods took, as JSON: the API and {@code heatline instrument} say the same. */
public final class RegionsJson {
    /** Those that people are told of. */
    public static final List<Double> PERCENTILES = List.of(50.0, 90.0, 99.0, 99.9);

    private RegionsJson() {}

    /** Writes properties of the open object. */
    public static void write(JsonGenerator json, RegionSnapshot seen) {
        json.writeStringProperty("unit", "ns");
        json.writeNumberProperty("duration", seen.elapsedNanos());
        json.writeArrayPropertyStart("regions");
        for (Region region : seen.regions()) {
            write(json, region);
        }
        json.writeEndArray();
    }

    /** The method as people read it. */
    public static String name(Region region) {
        return Consumer.method(
                        region.method().className(),
                        region.method().name(),
                        region.method().descriptor())
                .display();
    }

    private static void write(JsonGenerator json, Region region) {
        json.writeStartObject();
        json.writeStringProperty("method", name(region));
        json.writeNumberProperty("calls", region.calls());
        json.writeNumberProperty("total", region.totalNanos());
        json.writeObjectPropertyStart("percentiles");
        if (region.calls() > 0) {
            for (double percent : PERCENTILES) {
                json.writeNumberProperty(String.valueOf(percent), region.percentileNanos(percent));
            }
        }
        json.writeEndObject();
        json.writeArrayPropertyStart("histogram");
        for (Bucket bucket : region.buckets()) {
            json.writeStartObject();
            json.writeNumberProperty("from", bucket.fromNanos());
            json.writeNumberProperty("to", bucket.toNanos());
            json.writeNumberProperty("calls", bucket.calls());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeArrayPropertyStart("last");
        for (Call call : region.last()) {
            json.writeStartObject();
            json.writeNumberProperty("start", call.startNanos());
            json.writeNumberProperty("took", call.tookNanos());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeArrayPropertyStart("slowest");
        for (SlowCall call : region.slowest()) {
            write(json, call);
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, SlowCall call) {
        json.writeStartObject();
        json.writeNumberProperty("took", call.tookNanos());
        json.writeStringProperty("end", Instant.ofEpochMilli(call.endMillis()).toString());
        json.writeStringProperty("thread", call.thread());
        json.writeArrayPropertyStart("arguments");
        call.argumentTypes().forEach(json::writeString);
        json.writeEndArray();
        json.writeArrayPropertyStart("stack");
        call.stack().forEach(json::writeString);
        json.writeEndArray();
        json.writeEndObject();
    }
}
