package dev.heatline.collector;

import dev.heatline.collector.spool.Spool;
import dev.heatline.wire.RecordingSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * How to collect.
 *
 * @param server where profiles go, such as {@code http://localhost:4040}
 * @param tokenFile holds what the server asks for, if it does
 * @param certificates PEM file of the authorities that may vouch for the server; the JDK's if none
 * @param spool folder where profiles wait
 * @param spoolBytes how much may wait there
 * @param interval what one profile covers
 * @param budget share of a JVM's CPU time that profiling it may cost
 * @param recording what to record
 * @param lockAgent what is loaded into JVMs to trace their locks; empty if they are not traced
 * @param callAgent what is loaded to measure their calls; empty if no server may want that
 * @param jvms only JVMs in whose application or main class this is found, or whose whole pid it is
 */
public record CollectorOptions(
        String server,
        Optional<Path> tokenFile,
        Optional<Path> certificates,
        Path spool,
        long spoolBytes,
        Duration interval,
        double budget,
        RecordingSettings recording,
        Optional<Path> lockAgent,
        Optional<Path> callAgent,
        Optional<Pattern> jvms) {

    public static final Duration DEFAULT_INTERVAL = Duration.ofMinutes(1);
    public static final double DEFAULT_BUDGET = 0.01;

    /** The defaults for a server without a token. */
    public static CollectorOptions of(String server, Path spool) {
        return new CollectorOptions(
                server,
                Optional.empty(),
                Optional.empty(),
                spool,
                Spool.DEFAULT_LIMIT_BYTES,
                DEFAULT_INTERVAL,
                DEFAULT_BUDGET,
                RecordingSettings.DEFAULT,
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }
}
