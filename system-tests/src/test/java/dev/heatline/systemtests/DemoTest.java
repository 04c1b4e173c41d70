package dev.heatline.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a newcomer sees first. */
class DemoTest {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /** The first row: what used most by itself. */
    private static final String HOT_METHOD =
            "\"rows\":[{\"consumer\":\"dev.heatline.shop.Search.relevance(";

    private static final String CHANGED_METHOD =
            "\"rows\":[{\"consumer\":\"dev.heatline.shop.Prices.round(";

    /** The row of the lock's class, and the chain that held it, innermost first. */
    private static final String GUILTY_CHAIN =
            "{\"path\":[\"dev.heatline.shop.Stock\",\"dev.heatline.shop.Stock.take() ← ";

    @TempDir private Path temp;

    @Test
    void theShopsHotMethodIsKnownWithinAMinuteAndNothingIsLeftBehind() throws Exception {
        Path log = Files.createFile(temp.resolve("log.txt"));
        Process other = Product.shop(log, Product.JVM_25, "1.0", "-Dheatline.app=shop");
        try {
            List<ProcessHandle> children = demo(log);
            assertThat(children).as("two shops and a collector").hasSize(3);
            assertThat(children).noneMatch(ProcessHandle::isAlive);
            demo(log);
        } finally {
            other.destroy();
            other.waitFor();
        }
    }

    /** A demo from its start to its end, and the processes it had. */
    private List<ProcessHandle> demo(Path log) throws Exception {
        String address = "127.0.0.1:" + Product.freePort();
        Process up =
                Product.heatline(
                        log, "up", "--demo", "--listen", address, "--data", temp + "/data");
        try {
            String api = "http://" + address + "/api/v1/";
            await(
                    "the shop's hot method",
                    log,
                    text -> text.contains(HOT_METHOD),
                    api + "methods?app=shop&sort=base&limit=1");
            String instances =
                    await(
                            "both versions",
                            log,
                            text ->
                                    text.contains("\"version\":\"1.0\"")
                                            && text.contains("\"version\":\"1.1\""),
                            api + "applications/shop/instances");
            assertThat(instances)
                    .as("none of another shop, and none of an earlier demo")
                    .startsWith("{\"found\":2,");
            await(
                    "the regression of 1.1 as what stands out most",
                    log,
                    text -> text.contains(CHANGED_METHOD),
                    api + "compare?app=shop&version=1.1&baseline=1.0&limit=3");
            await(
                    "who holds the lock that others wait for",
                    log,
                    text -> text.contains(GUILTY_CHAIN),
                    api + "locks?app=shop&by=lock-class,owner-chain");
            measure(log, api);
            return up.descendants().toList();
        } finally {
            up.destroy();
            up.waitFor(60, TimeUnit.SECONDS);
        }
    }

    /** Calls below a method of a running shop, as the page asks for them. */
    private static void measure(Path log, String api) throws Exception {
        String jvms =
                await(
                        "JVMs to measure",
                        log,
                        text -> text.contains("\"jvm\":"),
                        api + "jvms?app=shop");
        String order =
                Product.send(
                                "POST",
                                api
                                        + "measurements?root=Search::find&seconds=60&jvm="
                                        + Product.field(jvms, "jvm"),
                                "")
                        .body();
        String id = Product.field(order, "id");
        await(
                "calls of the search",
                log,
                text -> text.contains("dev.heatline.shop.Search.relevance("),
                api + "measurement?id=" + id);
        Product.send("DELETE", api + "measurements?id=" + id, "");
        await(
                "the end of measuring",
                log,
                text -> text.contains("\"state\":\"ended\""),
                api + "measurement?id=" + id);
        await(
                "what was measured among the profiles",
                log,
                text -> text.contains("\"consumer\":\"dev.heatline.shop.Search.find("),
                api + "methods?app=shop&resource=elapsed");
    }

    private static String await(String what, Path log, Predicate<String> good, String question)
            throws Exception {
        return Product.await(what, log, PATIENCE, good, () -> Product.get(question));
    }
}
