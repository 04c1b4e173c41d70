package dev.heatline.cli;

import dev.heatline.collector.jvm.Jvm;
import dev.heatline.server.measure.RegionsJson;
import dev.heatline.wire.RegionSnapshot;
import dev.heatline.wire.RegionSnapshot.Bucket;
import dev.heatline.wire.RegionSnapshot.Call;
import dev.heatline.wire.RegionSnapshot.Region;
import dev.heatline.wire.RegionSnapshot.SlowCall;
import java.text.NumberFormat;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import tools.jackson.core.JsonGenerator;

/** How long single methods of a JVM took, as text and as JSON. */
record RegionsAnswer(Jvm jvm, RegionSnapshot seen) {
    private static final double NANOS = 1e9;
    private static final int BAR = 40;
    private static final int LAST = 10;
    private static final int STACK = 12;
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("HH:mm:ss.SSS", Locale.ROOT);

    String text() {
        StringBuilder text = new StringBuilder();
        text.append(
                String.format(
                        Locale.ROOT, "regions: %s, %.1f s%n", jvm, seen.elapsedNanos() / NANOS));
        for (Region region : seen.regions()) {
            text.append('\n').append(RegionsJson.name(region)).append('\n');
            if (region.calls() == 0) {
                text.append("  was not called\n");
            } else {
                addTimes(text, region);
                addHistogram(text, region);
                addCalls(text, region);
            }
        }
        if (seen.regions().isEmpty()) {
            text.append("no method was loaded\n");
        }
        return text.toString();
    }

    private void addTimes(StringBuilder text, Region region) {
        text.append(
                String.format(
                        Locale.ROOT,
                        "  %,d calls, %.1f a second, %s in all, %s each%n",
                        region.calls(),
                        region.calls() / (seen.elapsedNanos() / NANOS),
                        time(region.totalNanos()),
                        time((double) region.totalNanos() / region.calls())));
        text.append("  ");
        for (double percent : RegionsJson.PERCENTILES) {
            text.append(NumberFormat.getInstance(Locale.ROOT).format(percent))
                    .append(" %: ")
                    .append(time(region.percentileNanos(percent)))
                    .append(", ");
        }
        text.append("slowest: ").append(time(region.slowestNanos())).append("\n\n");
    }

    /** A line for each power of two. */
    private static void addHistogram(StringBuilder text, Region region) {
        TreeMap<Integer, Long> powers = new TreeMap<>();
        for (Bucket bucket : region.buckets()) {
            int power = Long.SIZE - Long.numberOfLeadingZeros(bucket.fromNanos());
            powers.merge(power, bucket.calls(), Long::sum);
        }
        long most = powers.values().stream().mapToLong(Long::longValue).max().orElse(1);
        for (int power = powers.firstKey(); power <= powers.lastKey(); power++) {
            long calls = powers.getOrDefault(power, 0L);
            String bar = "#".repeat((int) Math.ceilDiv(calls * BAR, most));
            text.append(
                    String.format(
                            Locale.ROOT, "  < %8s %,12d %s%n", time(1L << power), calls, bar));
        }
    }

    private static void addCalls(StringBuilder text, Region region) {
        List<Call> last = region.last();
        text.append("\n  last calls:");
        for (Call call : last.subList(Math.max(0, last.size() - LAST), last.size())) {
            text.append(' ').append(time(call.tookNanos()));
        }
        text.append("\n  slowest calls:\n");
        for (SlowCall call : region.slowest()) {
            text.append(
                    String.format(
                            Locale.ROOT,
                            "  %s at %s in %s%s%n",
                            time(call.tookNanos()),
                            TIME.format(
                                    Instant.ofEpochMilli(call.endMillis())
                                            .atZone(ZoneId.systemDefault())),
                            call.thread(),
                            call.argumentTypes().isEmpty()
                                    ? ""
                                    : ", with " + String.join(", ", call.argumentTypes())));
            call.stack().stream()
                    .limit(STACK)
                    .forEach(frame -> text.append("      ").append(frame).append('\n'));
            if (call.stack().size() > STACK) {
                text.append("      and ").append(call.stack().size() - STACK).append(" more\n");
            }
        }
    }

    private static String time(long nanos) {
        return time((double) nanos);
    }

    /** With three digits and the unit that people would choose. */
    private static String time(double nanos) {
        if (nanos < 1e3) {
            return digits(nanos) + " ns";
        }
        if (nanos < 1e6) {
            return digits(nanos / 1e3) + " us";
        }
        return nanos < 1e9 ? digits(nanos / 1e6) + " ms" : digits(nanos / 1e9) + " s";
    }

    private static String digits(double value) {
        int decimals = value < 10 ? 2 : value < 100 ? 1 : 0;
        return String.format(Locale.ROOT, "%." + decimals + "f", value);
    }

    void writeTo(JsonGenerator json) {
        json.writeStartObject();
        json.writeNumberProperty("pid", jvm.pid());
        json.writeStringProperty("main", jvm.main());
        RegionsJson.write(json, seen);
        json.writeEndObject();
    }
}
