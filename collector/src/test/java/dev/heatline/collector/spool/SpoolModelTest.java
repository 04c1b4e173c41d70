package dev.heatline.collector.spool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.model.Profile;
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
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Random lives of a spool beside what should come out of them. */
class SpoolModelTest {
    private static final long LIMIT = 12_000;

    /** What may happen to a spool. */
    enum Step {
        APPEND,
        APPEND_LARGE,
        UPLOAD,
        REFUSE,
        RESTART
    }

    /** What is known from outside. */
    private static final class Model {
        final Map<String, String> positions = new HashMap<>();
        long appendedProfiles;
        long appendedSamples;
        long uploadedProfiles;
        long uploadedSamples;
        long toldProfiles;
        long toldSamples;

        void uploaded(Profile profile) {
            long samples = Profiles.samples(profile);
            // A profile without samples stands for one that was too large, and tells that itself.
            uploadedProfiles += samples > 0 ? 1 : 0;
            uploadedSamples += samples;
            toldProfiles += profile.provenance().count(Loss.PROFILES);
            toldSamples += profile.provenance().count(Loss.SAMPLES);
        }
    }

    @Provide
    Arbitrary<List<Step>> lives() {
        return Arbitraries.of(Step.class).list().ofMaxSize(60);
    }

    @Property(tries = 150)
    void everySampleIsUploadedOrToldToBeLostExactlyOnce(
            @ForAll("lives") List<Step> life, @ForAll long seed) throws IOException {
        Path folder = Files.createTempDirectory("spool");
        Model model = new Model();
        try {
            Spool spool = Spool.open(folder, LIMIT, _ -> {});
            for (int i = 0; i < life.size(); i++) {
                switch (life.get(i)) {
                    case APPEND -> append(spool, model, i, 1 + (int) ((seed + i) & 63));
                    case APPEND_LARGE -> append(spool, model, i, 1 + (int) ((seed + i) & 1023));
                    case UPLOAD -> uploadOldest(spool, model);
                    case REFUSE -> refuseOldest(spool);
                    case RESTART -> {
                        spool.close();
                        spool = Spool.open(folder, LIMIT, _ -> {});
                    }
                }
                assertThat(spool.counts().bytes()).isLessThanOrEqualTo(LIMIT);
                for (Map.Entry<String, String> known : model.positions.entrySet()) {
                    assertThat(spool.position(known.getKey())).contains(known.getValue());
                }
            }
            append(spool, model, life.size(), 1);
            boolean more = true;
            while (more) {
                more = uploadOldest(spool, model);
            }
            spool.close();
        } finally {
            delete(folder);
        }
        assertThat(model.uploadedSamples + model.toldSamples).isEqualTo(model.appendedSamples);
        assertThat(model.uploadedProfiles + model.toldProfiles).isEqualTo(model.appendedProfiles);
    }

    private static void append(Spool spool, Model model, int step, int nodes) {
        String source = "source " + step % 3;
        spool.append(Profiles.entry(source, "" + step), Profiles.large(nodes, step));
        model.positions.put(source, "" + step);
        model.appendedProfiles++;
        model.appendedSamples += nodes;
    }

    private static void refuseOldest(Spool spool) {
        spool.oldest().ifPresent(file -> spool.setAside(file, "refused", "is refused"));
    }

    private static boolean uploadOldest(Spool spool, Model model) throws IOException {
        Optional<SpoolFile> oldest = spool.oldest();
        if (oldest.isPresent()) {
            try (InputStream body = spool.body(oldest.get())) {
                model.uploaded(Profiles.read(body.readAllBytes()));
            }
            spool.remove(oldest.get());
        }
        return oldest.isPresent();
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.toList().reversed()) {
                Files.delete(file);
            }
        }
    }
}
