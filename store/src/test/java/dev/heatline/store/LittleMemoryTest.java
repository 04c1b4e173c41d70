package dev.heatline.store;

import static dev.heatline.store.Samples.SHOP;
import static dev.heatline.store.Samples.minute;
import static dev.heatline.store.Samples.upload;
import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.model.Consumer;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Provenance;
import dev.heatline.model.Resource;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Another JVM with a small heap rolls up an hour that would not fit into it as a whole. */
class LittleMemoryTest {
    private static final int NODES = 60_000;
    private static final int MINUTES = 40;

    @TempDir Path directory;

    static final class Small {
        private Small() {}

        public static void main(String[] args) {
            StoreOptions options =
                    StoreOptions.DEFAULT
                            .withDictionaries(1 << 20, 10 << 20)
                            .withNodesPerRollUp(3 * NODES);
            try (Store store = RocksStore.open(Path.of(args[0]), options)) {
                for (int i = 0; i < MINUTES; i++) {
                    if (!store.add(upload("u" + i, SHOP, i, profile(i)))) {
                        throw new AssertionError("not stored");
                    }
                }
                store.maintain(minute(60 * 24 * 3));
                System.out.println(store.usage().profiles());
            }
        }

        /** Has nothing in common with the others. */
        private static Profile profile(int number) {
            ProfileBuilder builder = new ProfileBuilder();
            int top = builder.consumer(Consumer.method("p.C.top" + number));
            int at = builder.child(Profile.ROOT, top, 0);
            int method = builder.consumer(Consumer.method("p.C.method"));
            for (int line = 1; line < NODES; line++) {
                int node = builder.child(at, method, line);
                builder.column(Resource.SAMPLES).add(node, -1, 1);
            }
            return builder.build(Provenance.NONE);
        }
    }

    @Test
    void anHourThatIsTooLargeForTheMemoryIsRolledUpInPieces() throws Exception {
        Process small =
                new ProcessBuilder(
                                List.of(
                                        Path.of(System.getProperty("java.home"), "bin", "java")
                                                .toString(),
                                        "-Xmx80m",
                                        "-XX:+UseSerialGC",
                                        "--enable-native-access=ALL-UNNAMED",
                                        "-cp",
                                        System.getProperty("java.class.path"),
                                        Small.class.getName(),
                                        directory.toString()))
                        .redirectErrorStream(true)
                        .start();
        String said =
                new String(small.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();

        assertThat(said).endsWith("{day=0, hour=14, minute=0}");
        assertThat(small.waitFor()).isZero();
    }
}
