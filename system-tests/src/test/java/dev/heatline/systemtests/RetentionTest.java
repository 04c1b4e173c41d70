package dev.heatline.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.model.Consumer;
import dev.heatline.model.Execution;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Provenance;
import dev.heatline.model.Resource;
import dev.heatline.store.RocksStore;
import dev.heatline.store.StoreOptions;
import dev.heatline.store.Upload;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How much is kept is what was said, whatever starts the server. */
class RetentionTest {
    private static final int PROFILES = 200;
    private static final int STACKS = 1_000;
    private static final int METHODS = 50;
    private static final int DEPTH = 12;
    private static final Pattern PROFILES_NOW =
            Pattern.compile("heatline_store_profiles\\{level=\"minute\"} (\\d+)");
    private static final String NO_JVM = "none-is-called-so";

    @TempDir private Path temp;

    @Test
    void serverAndUpKeepNoMoreThanTheyMay() throws Exception {
        check(List.of("serve", "--max-disk", "400k"));
        check(List.of("up", "--jvms", NO_JVM, "--max-disk", "400k"));
    }

    private void check(List<String> words) throws Exception {
        Path log = Files.createTempFile(temp, "log", ".txt");
        Path data = Files.createTempDirectory(temp, "data");
        fill(data);
        String address = "127.0.0.1:" + Product.freePort();
        List<String> command = new ArrayList<>(words);
        command.addAll(List.of("--listen", address, "--data", data.toString()));
        Process server = Product.heatline(log, command.toArray(String[]::new));
        try {
            long left =
                    Product.await(
                            "less than there was",
                            log,
                            Duration.ofMinutes(1),
                            profiles -> profiles < PROFILES,
                            () ->
                                    Product.get("http://" + address + "/metrics")
                                            .map(RetentionTest::profiles));
            assertThat(left).as("the newest stay").isPositive();
        } finally {
            server.destroy();
            assertThat(server.waitFor(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    private static void fill(Path data) {
        Random random = new Random(1);
        Instant first = Instant.now().minus(Duration.ofMinutes(PROFILES));
        try (RocksStore store = RocksStore.open(data, StoreOptions.DEFAULT)) {
            for (int i = 0; i < PROFILES; i++) {
                Instant from = first.plus(Duration.ofMinutes(i));
                Execution execution = new Execution("shop", "1", "a");
                Profile profile = profile(random);
                store.add(new Upload("u" + i, execution, from, from.plusSeconds(60), profile));
            }
        }
    }

    /** Little that is alike, so that it takes room. */
    private static Profile profile(Random random) {
        ProfileBuilder builder = new ProfileBuilder();
        for (int i = 0; i < STACKS; i++) {
            int node = Profile.ROOT;
            for (int depth = 0; depth < DEPTH; depth++) {
                Consumer method = Consumer.method("a.B.m" + random.nextInt(METHODS));
                node = builder.child(node, builder.consumer(method), 0);
            }
            builder.column(Resource.SAMPLES).add(node, -1, 1 + random.nextInt(1_000));
        }
        return builder.build(Provenance.NONE);
    }

    private static long profiles(String metrics) {
        Matcher found = PROFILES_NOW.matcher(metrics);
        if (!found.find()) {
            throw new AssertionError(metrics);
        }
        return Long.parseLong(found.group(1));
    }
}
