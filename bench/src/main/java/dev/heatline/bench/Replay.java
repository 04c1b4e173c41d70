package dev.heatline.bench;

import dev.heatline.collector.spool.Backoff;
import dev.heatline.collector.spool.Entry;
import dev.heatline.collector.spool.Ingest;
import dev.heatline.collector.spool.Spool;
import dev.heatline.collector.spool.Uploader;
import dev.heatline.formats.jfr.LiveInterval;
import dev.heatline.formats.jfr.LiveRecording;
import dev.heatline.formats.jfr.LiveRecording.Position;
import dev.heatline.model.Execution;
import dev.heatline.model.Profile;
import dev.heatline.model.Provenance;
import dev.heatline.wire.RecordingSettings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * The way of the data through a collector, in a JVM of its own and at the pace of whoever gives the
 * orders: {@code read} what a recording has grown by, {@code close} the interval into the spool,
 * from where it is uploaded meanwhile.
 */
public final class Replay {
    private final Path folder;
    private final Spool spool;
    private final LiveRecording live;
    private LiveInterval interval = new LiveInterval();

    private Replay(Path folder, Spool spool) {
        this.folder = folder;
        this.spool = spool;
        this.live = new LiveRecording(folder, eventNames(), Position.START);
    }

    private static Set<String> eventNames() {
        Set<String> names = new TreeSet<>();
        for (String setting : RecordingSettings.DEFAULT.events(true).keySet()) {
            names.add(setting.substring(0, setting.indexOf('#')));
        }
        return names;
    }

    /**
     * Replays until there are no more orders.
     *
     * @param args the folder to follow, the spool, and the address of a server
     */
    public static void main(String[] args) throws IOException {
        Consumer<String> say = remark -> System.err.println(remark);
        Ingest ingest = new Ingest(args[2], Optional.empty(), Optional.empty());
        Backoff backoff = new Backoff(RandomGenerator.getDefault());
        try (Spool spool = Spool.open(Path.of(args[1]), Spool.DEFAULT_LIMIT_BYTES, say);
                Uploader uploader = new Uploader(spool, ingest, backoff, say)) {
            Thread.ofPlatform().daemon().name("uploader").start(uploader::run);
            new Replay(Path.of(args[0]), spool).obey();
        }
    }

    private void obey() throws IOException {
        BufferedReader orders =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        String order;
        while ((order = orders.readLine()) != null) {
            if (order.equals("read")) {
                live.read(interval);
            } else {
                close();
            }
            System.out.println(interval.nodeCount());
        }
    }

    private void close() {
        Provenance read = interval.provenance();
        Instant from = read.from().orElseThrow();
        Profile profile = interval.build(Provenance.NONE.withFact(Provenance.APPLICATION, "busy"));
        spool.append(
                new Entry(
                        UUID.randomUUID().toString(),
                        new Execution("busy", "", ""),
                        from,
                        read.until().orElseThrow(),
                        folder.toString(),
                        live.position().written()),
                profile);
        interval = new LiveInterval();
    }
}
