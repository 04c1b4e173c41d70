package dev.heatline.shop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.model.Consumer;
import dev.heatline.model.Profile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Profiles both versions on every JDK there is, and finds in them what the shop's page promises.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KnownTroublesTest {
    /** Both versions on one JDK. */
    record Pair(String jdk, Profile before, Profile after) {
        @Override
        public String toString() {
            return "JDK " + jdk;
        }
    }

    private static final Path JVMS = Path.of("/usr/lib/jvm");

    private final List<Pair> pairs = new ArrayList<>();

    @BeforeAll
    void profile(@TempDir Path temp) throws IOException, InterruptedException {
        pairs.add(profile("25", Path.of(System.getProperty("java.home")), temp));
        Optional<Path> jvm17 = findJvm17();
        if (jvm17.isPresent()) {
            pairs.add(profile("17", jvm17.get(), temp));
        }
    }

    private static Optional<Path> findJvm17() {
        Optional<Path> found = jvms17().stream().sorted().findFirst();
        if (found.isEmpty()) {
            System.err.println(
                    "JDK 17 not found under " + JVMS + ": the shop is not profiled on 17");
        }
        return found;
    }

    private static List<Path> jvms17() {
        try (Stream<Path> homes = Files.list(JVMS)) {
            return homes.filter(KnownTroublesTest::is17).toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    private static boolean is17(Path home) {
        Path release = home.resolve("release");
        try {
            return Files.exists(release)
                    && Files.readString(release).contains("JAVA_VERSION=\"17.");
        } catch (IOException e) {
            return false;
        }
    }

    /** One after the other: together they would not leave each other alone on two cores. */
    private static Pair profile(String jdk, Path home, Path temp)
            throws IOException, InterruptedException {
        Path folder = Files.createDirectory(temp.resolve(jdk));
        Profile before = ProfiledShop.start(home, "1.0", folder).read();
        return new Pair(jdk, before, ProfiledShop.start(home, "1.1", folder).read());
    }

    Stream<Pair> pairs() {
        return pairs.stream();
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void searchingIsTheHotSpotOfBothVersions(Pair pair) {
        for (Profile profile : List.of(pair.before(), pair.after())) {
            assertThat(ProfiledShop.hottest(profile, "samples")).isEqualTo("Search.relevance");
            assertThat(ProfiledShop.under(profile, "samples", "Search.find"::equals))
                    .as("its only caller")
                    .isGreaterThanOrEqualTo(
                            ProfiledShop.self(profile, "samples", "Search.relevance"));
        }
    }

    /** Against the hot spot, which is the same in both: a busy machine slows both. */
    @ParameterizedTest
    @MethodSource("pairs")
    void roundingCostsClearlyMoreInTheNewVersion(Pair pair) {
        assertThat(rounding(pair.after())).isGreaterThan(1.2 * rounding(pair.before()));
    }

    private static double rounding(Profile profile) {
        return (double) ProfiledShop.self(profile, "samples", "Prices.round")
                / ProfiledShop.self(profile, "samples", "Search.relevance");
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void paintingAllocatesTheMost(Pair pair) {
        Profile profile = pair.before();

        assertThat(ProfiledShop.hottest(profile, "allocated")).isEqualTo("Pictures.paint");
        assertThat(ProfiledShop.self(profile, "allocated", "Pictures.paint"))
                .isGreaterThan(profile.requireColumn("allocated").total() / 4);
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void requestsWaitForStockTakingAndForArchiving(Pair pair) {
        Profile profile = pair.before();

        assertThat(ProfiledShop.under(profile, "blocked", n -> n.startsWith("Stock.")))
                .isPositive();
        assertThat(ProfiledShop.under(profile, "parked", n -> n.startsWith("OrderLog.")))
                .isPositive();
        assertThat(ProfiledShop.under(profile, "slept", "Stock.take"::equals)).isPositive();
        assertThat(ProfiledShop.under(profile, "slept", "OrderLog.archive"::equals)).isPositive();
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void recommendationsHaveDeepStacks(Pair pair) {
        Profile profile = pair.before();
        int deepest =
                IntStream.range(0, profile.nodeCount())
                        .filter(node -> profile.consumerOf(node).name().equals("next"))
                        .map(node -> profile.path(node).size())
                        .max()
                        .orElseThrow();

        assertThat(deepest).isGreaterThan(200);
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void theDatabaseAndEveryGroupOfThreadsIsSeen(Pair pair) {
        Profile profile = pair.before();
        List<String> threads =
                Arrays.stream(profile.threads())
                        .mapToObj(profile::consumerAt)
                        .map(Consumer::name)
                        .toList();

        assertThat(ProfiledShop.under(profile, "samples", n -> n.startsWith("org.h2.")))
                .isPositive();
        for (String group : List.of("request-", "load-", "reindexer", "mail-")) {
            assertThat(threads).as(group).anyMatch(name -> name.startsWith(group));
        }
    }
}
