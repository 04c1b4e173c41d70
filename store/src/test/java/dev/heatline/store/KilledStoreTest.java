package dev.heatline.store;

import static dev.heatline.store.Samples.SHOP;
import static dev.heatline.store.Samples.upload;
import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.model.Column;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Another JVM adds and rolls up until it is killed; what it said was stored must be there. */
class KilledStoreTest {
    private static final int KILLS = 4;
    private static final int THREADS = 3;

    /** After an id, so that a line cut off by the kill is not taken for another id. */
    private static final String STORED = " stored";

    @TempDir Path directory;
    @TempDir Path temporary;

    /** Adds uploads of one sample each and prints the id of each that was accepted. */
    static final class Victim {
        private Victim() {}

        static Process start(Path directory, Path temporary, String name) throws IOException {
            return new ProcessBuilder(
                            List.of(
                                    Path.of(System.getProperty("java.home"), "bin", "java")
                                            .toString(),
                                    "-Xmx128m",
                                    "-Djava.io.tmpdir=" + temporary,
                                    "--enable-native-access=ALL-UNNAMED",
                                    "-cp",
                                    System.getProperty("java.class.path"),
                                    Victim.class.getName(),
                                    directory.toString(),
                                    name))
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
        }

        public static void main(String[] args) throws InterruptedException {
            Store store = RocksStore.open(Path.of(args[0]), StoreOptions.DEFAULT);
            for (int t = 0; t < THREADS; t++) {
                String name = args[1] + "-" + t + "-";
                new Thread(() -> addForever(store, name)).start();
            }
            for (int day = 1; ; day++) {
                store.maintain(Samples.minute(60L * 24 * day));
                Thread.sleep(1);
            }
        }

        private static void addForever(Store store, String name) {
            for (int i = 0; ; i++) {
                String id = name + i;
                if (store.add(upload(id, SHOP, i, Samples.of("p.C." + id, 1)))) {
                    System.out.println(id + STORED);
                }
            }
        }
    }

    @Test
    void whatWasAcceptedSurvivesKills() throws Exception {
        Set<String> accepted = new HashSet<>();
        for (int kill = 0; kill < KILLS; kill++) {
            accepted.addAll(runAndKill("run" + kill, 100 + 50 * kill));
        }

        try (Store store = RocksStore.open(directory, StoreOptions.DEFAULT)) {
            var collected = Samples.collect(store, Selection.of("shop"));
            Set<String> found = new HashSet<>();
            for (int node = 1; node < collected.nodeCount(); node++) {
                found.add(collected.consumerOf(node).name());
            }
            assertThat(found).containsAll(accepted);
            assertThat(collected.column("samples").map(Column::total))
                    .contains((long) found.size());
            for (String id : accepted) {
                assertThat(store.add(upload(id, SHOP, 0, Samples.of("p.C." + id, 1)))).isFalse();
            }
        }
    }

    private Set<String> runAndKill(String name, int uploads) throws IOException {
        Process victim = Victim.start(directory, temporary, name);
        Set<String> accepted = new HashSet<>();
        try (BufferedReader lines = victim.inputReader()) {
            for (String id = lines.readLine(); id != null; id = lines.readLine()) {
                if (id.endsWith(STORED)) {
                    accepted.add(id.substring(0, id.length() - STORED.length()));
                }
                if (accepted.size() == uploads) {
                    // Not through the process itself, which would close what is still to be read.
                    assertThat(victim.toHandle().destroyForcibly()).isTrue();
                }
            }
        }
        return accepted;
    }
}
