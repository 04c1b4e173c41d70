package dev.heatline.bench;

import java.io.IOException;
import java.util.Arrays;

/**
 * Runs a measurement: {@code java -jar bench/target/heatline-bench.jar NAME}. What follows the name
 * goes to the measurement.
 */
public final class Main {

    private Main() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        String name = args.length == 0 ? "" : args[0];
        String[] rest = args.length == 0 ? args : Arrays.copyOfRange(args, 1, args.length);
        switch (name) {
            case "parsing" -> JfrParsing.run(rest);
            case "passes" -> ModelPasses.run();
            case "opening" -> FileOpening.run(rest);
            case "overhead" -> Overhead.run(rest);
            case "locks" -> LockCost.run(rest);
            case "calls" -> CallAccuracy.run(rest);
            case "ingest" -> IngestLoad.run(rest);
            case "month" -> StoredMonth.run(rest);
            case "collector" -> CollectorMemory.run(rest);
            case "threads" -> ThreadLooks.run(rest);
            case "jmh" -> org.openjdk.jmh.Main.main(rest);
            default -> {
                System.err.println(
                        "heatline-bench: name one of parsing, passes, opening, overhead, locks, calls,"
                                + " ingest, month, collector, threads, jmh");
                System.exit(2);
            }
        }
    }
}
