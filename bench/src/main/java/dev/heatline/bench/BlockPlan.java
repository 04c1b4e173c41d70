package dev.heatline.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * How much is measured: {@code [--pairs N] [--block MILLISECONDS] [--settle MILLISECONDS]
 * [--workload NAME] [--jdk HOME]}, the last two as often as wanted.
 *
 * @param blockMillis how long a block takes about
 * @param settleMillis how long the same work is done before it, unmeasured
 */
record BlockPlan(
        int pairs, int blockMillis, int settleMillis, List<String> workloads, List<Path> jdks) {

    static BlockPlan of(String[] args, int usualPairs, List<String> usualWorkloads) {
        Given given = new Given(args, "--pairs", "--block", "--settle", "--workload", "--jdk");
        return new BlockPlan(
                given.number("--pairs", usualPairs),
                given.number("--block", 1_000),
                given.number("--settle", 1_000),
                given.all("--workload", usualWorkloads),
                given.all("--jdk", usualJdks()).stream().map(Path::of).toList());
    }

    /**
     * An installed JDK 17, if there is one where distributions put it, and the one this runs on.
     */
    private static List<String> usualJdks() {
        List<String> homes = new ArrayList<>();
        for (String home : List.of("java-17-openjdk-amd64", "temurin-17-jdk-amd64")) {
            Path jdk = Path.of("/usr/lib/jvm", home);
            if (homes.isEmpty() && Files.exists(jdk)) {
                homes.add(jdk.toString());
            }
        }
        homes.add(ChildJvm.ownJdk().toString());
        return homes;
    }

    @Override
    public String toString() {
        return pairs
                + " pairs of blocks of "
                + blockMillis
                + " ms, "
                + settleMillis
                + " ms after something was switched on or off";
    }
}
