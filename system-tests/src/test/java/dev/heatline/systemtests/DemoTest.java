package dev.heatline.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a newcomer sees first. */
class DemoTest {

    /** The first row: what used most by itself. */
    private static final String HOT_METHOD =
            "\"rows\":[{\"consumer\":\"dev.heatline.shop.Search.relevance(";

    @Test
    void theShopsHotMethodIsKnownWithinAMinuteAndNothingIsLeftBehind(@TempDir Path temp)
            throws Exception {
        Path log = Files.createFile(temp.resolve("log.txt"));
        String address = "127.0.0.1:" + Product.freePort();
        Process up =
                Product.heatline(
                        log, "up", "--demo", "--listen", address, "--data", temp + "/data");
        List<ProcessHandle> children = List.of();
        try {
            String api = "http://" + address + "/api/v1/";
            String methods =
                    Product.await(
                            "the shop's hot method",
                            log,
                            Duration.ofMinutes(1),
                            () -> ofShop(api + "methods?app=shop&sort=base&limit=1"));
            assertThat(methods).contains(HOT_METHOD);
            Product.await(
                    "both versions",
                    log,
                    Duration.ofMinutes(1),
                    () ->
                            Product.get(api + "applications/shop/versions")
                                    .filter(text -> text.contains("\"1.0\""))
                                    .filter(text -> text.contains("\"1.1\"")));
            children = up.descendants().toList();
            assertThat(children).as("two shops and a collector").hasSize(3);
        } finally {
            up.destroy();
            up.waitFor(60, TimeUnit.SECONDS);
        }
        assertThat(children).noneMatch(ProcessHandle::isAlive);
    }

    private static Optional<String> ofShop(String question) throws InterruptedException {
        return Product.get(question).filter(text -> text.contains(HOT_METHOD));
    }
}
