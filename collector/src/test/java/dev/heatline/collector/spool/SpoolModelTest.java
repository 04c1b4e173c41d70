package dev.heatline.collector.spool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.model.Profile;
import dev.heatline.model.Provenance;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

/** Random lives and deaths of a spool, beside what should come out of them. */
class SpoolModelTest {
    private static final long LIMIT = 12_000;

    /** Now this bound is reached first, now that of the bytes. */
    private static final int MAX_ENTRIES = 8;

    /** What may be done with a spool. */
    enum Act {
        BEGIN,
        APPEND,
        UPLOAD,
        REFUSE,
        RESTART
    }

    /**
     * Something done with a spool.
     *
     * @param nodes size of what is appended
     * @param stepsToLive how many changes on the disk come before the process dies; most often
     *     there are fewer
     */
    record Deed(Act act, int nodes, int stepsToLive) {}

    /** The end of a process, as far as its own code can tell. */
    private static final class Death extends Error {
        private static final long serialVersionUID = 1L;
    }

    @Provide
    Arbitrary<List<Deed>> lives() {
        return Combinators.combine(
                        Arbitraries.frequency(
                                Tuple.of(1, Act.BEGIN),
                                Tuple.of(5, Act.APPEND),
                                Tuple.of(3, Act.UPLOAD),
                                Tuple.of(1, Act.REFUSE),
                                Tuple.of(1, Act.RESTART)),
                        Arbitraries.integers().between(1, 700),
                        Arbitraries.integers().between(0, 40))
                .as(Deed::new)
                .list()
                .ofMaxSize(50);
    }

    @Property(tries = 100)
    void everySampleArrivesOrIsToldToBeLostExactlyOnce(@ForAll("lives") List<Deed> life)
            throws IOException {
        Path folder = Files.createTempDirectory("spool");
        try {
            World world = new World(folder);
            for (Deed deed : life) {
                world.live(deed);
            }
            world.end();
        } finally {
            delete(folder);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.toList().reversed()) {
                Files.delete(file);
            }
        }
    }

    /** A spool and what is known of it from outside. */
    private static final class World {
        private final Path folder;
        private final Map<String, String> positions = new HashMap<>();
        private final Map<String, Profile> arrived = new HashMap<>();
        private long appendedProfiles;
        private long appendedSamples;
        private int appends;
        private int stepsToLive = Integer.MAX_VALUE;
        private Spool spool;

        World(Path folder) {
            this.folder = folder;
            this.spool = open();
        }

        private Spool open() {
            return Spool.open(folder, LIMIT, MAX_ENTRIES, _ -> {}, this::step);
        }

        private void step() {
            if (stepsToLive-- == 0) {
                throw new Death();
            }
        }

        void live(Deed deed) throws IOException {
            stepsToLive = deed.stepsToLive;
            try {
                act(deed);
            } catch (Death e) {
                restart();
            }
            stepsToLive = Integer.MAX_VALUE;
            positions.forEach((source, at) -> assertThat(spool.position(source)).contains(at));
        }

        private void act(Deed deed) throws IOException {
            switch (deed.act) {
                case BEGIN -> begin();
                case APPEND -> append(deed.nodes);
                case UPLOAD -> upload();
                case REFUSE -> refuse();
                case RESTART -> {
                    spool.close();
                    spool = open();
                }
            }
        }

        /** The next process may die as well, while it tidies up; the one after that lives. */
        private void restart() {
            spool.close();
            stepsToLive = appends % 4;
            try {
                spool = open();
            } catch (Death e) {
                stepsToLive = Integer.MAX_VALUE;
                spool = open();
            }
        }

        /** Also of sources that have begun long before. */
        private void begin() {
            String source = "source " + appends % 3;
            try {
                spool.begin(Profiles.entry(source, "begin"));
            } catch (Death e) {
                restart();
            }
            if (spool.position(source).isPresent()) {
                positions.putIfAbsent(source, "begin");
            }
        }

        private void append(int nodes) {
            appends++;
            String source = "source " + appends % 3;
            String position = "" + appends;
            try {
                spool.append(Profiles.entry(source, position), Profiles.large(nodes, appends));
                assertThat(spool.counts().bytes()).isLessThanOrEqualTo(LIMIT);
            } catch (Death e) {
                restart();
            }
            if (spool.position(source).equals(Optional.of(position))) {
                positions.put(source, position);
                appendedProfiles++;
                appendedSamples += nodes;
            }
        }

        private boolean upload() throws IOException {
            Optional<SpoolFile> oldest = spool.oldest();
            if (oldest.isPresent()) {
                try (InputStream body = spool.body(oldest.get())) {
                    arrived.put(oldest.get().entry().id(), Profiles.read(body.readAllBytes()));
                }
                spool.remove(oldest.get());
            }
            return oldest.isPresent();
        }

        /** What a server has taken it takes again, if it comes again after a crash. */
        private void refuse() {
            Optional<SpoolFile> oldest = spool.oldest();
            if (oldest.isPresent() && !arrived.containsKey(oldest.get().entry().id())) {
                spool.setAside(oldest.get(), "refused", "is refused");
            }
        }

        /** Everything that is left arrives, and then the sums are right. */
        void end() throws IOException {
            append(1);
            boolean more = true;
            while (more) {
                more = upload();
            }
            spool.close();
            long profiles = 0;
            long samples = 0;
            for (Profile profile : arrived.values()) {
                // One without samples stands for one that was too large, and tells that itself.
                profiles += profile.columns().isEmpty() ? 0 : 1;
                profiles += profile.provenance().count(Provenance.DROPPED_PROFILES);
                samples += Profiles.samples(profile);
                samples += profile.provenance().count(Provenance.DROPPED_SAMPLES);
            }
            assertThat(samples).isEqualTo(appendedSamples);
            assertThat(profiles).isEqualTo(appendedProfiles);
        }
    }
}
