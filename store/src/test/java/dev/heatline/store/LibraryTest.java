package dev.heatline.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Looks for the library of other JVMs, since each loads it only once. */
class LibraryTest {
    @TempDir Path directory;
    @TempDir Path temporary;

    @Test
    void killsLeaveOneOfItInTheStoreAndNoneInTheTemporaryFolder() throws Exception {
        for (int kill = 0; kill < 2; kill++) {
            storeAndKill(directory);

            assertThat(libraries(directory)).containsExactly(Library.NAME);
            assertThat(libraries(temporary)).isEmpty();
        }
    }

    @Test
    void itIsNoPartOfTheStoresSizeAndGoesWhenThatIsClosed() throws Exception {
        storeAndKill(directory);

        try (Store store = RocksStore.open(directory, StoreOptions.DEFAULT)) {
            long library = Files.size(directory.resolve(Library.NAME));
            assertThat(store.usage().bytes()).isLessThan(library);
        }
        assertThat(libraries(directory)).isEmpty();
    }

    /** Too small for it, and one that may hold no programs; to mount them takes root. */
    @ParameterizedTest
    @ValueSource(strings = {"size=8m", "noexec"})
    @EnabledOnOs(OS.LINUX)
    void aDiskThatCannotHaveItTakesProfilesAllTheSame(String option) throws Exception {
        assumeTrue(
                run("mount", "-t", "tmpfs", "-o", option, "tmpfs", directory.toString()) == 0,
                "only root can mount a disk");
        try {
            storeAndKill(directory.resolve("store"));

            assertThat(libraries(directory.resolve("store"))).isEmpty();
            assertThat(libraries(temporary)).hasSize(1);
        } finally {
            run("umount", directory.toString());
        }
    }

    private static int run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command).redirectErrorStream(true).start().waitFor();
    }

    /** Waits until the first profile is stored. */
    private void storeAndKill(Path where) throws IOException, InterruptedException {
        Process victim = KilledStoreTest.Victim.start(where, temporary, "any");
        try (BufferedReader lines = victim.inputReader()) {
            assertThat(lines.readLine()).isNotNull();
        } finally {
            victim.destroyForcibly().waitFor();
        }
    }

    private static List<String> libraries(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith("librocksdbjni"))
                    .toList();
        }
    }
}
