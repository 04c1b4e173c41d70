package dev.heatline.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heatline.model.Column;
import dev.heatline.model.Consumer;
import dev.heatline.model.ModelException;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Provenance;
import dev.heatline.model.Resource;
import dev.heatline.model.Site;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** What every format that is read and written must do. */
abstract class FormatContract {

    abstract Format format();

    /** What reading must give back after this Profile was written with the default options. */
    abstract Profile expressible(Profile profile);

    /** The names of the resources that are written by default. */
    abstract List<String> writtenResources(Profile profile);

    /** What a written resource is called when it is read again. */
    String readName(String resource) {
        return resource;
    }

    @Provide
    Arbitrary<Profile> profiles() {
        return RandomProfiles.profiles(60);
    }

    @Property(tries = 200)
    void whatCanBeExpressedComesBack(@ForAll("profiles") Profile profile) {
        assertThat(roundTrip(profile)).isEqualTo(expressible(profile));
    }

    @Property(tries = 100)
    void totalsOfEveryThreadAreKept(@ForAll("profiles") Profile profile) {
        Profile read = roundTrip(profile);
        for (String resource : writtenResources(profile)) {
            assertThat(Expected.totalsByThread(read, readName(resource)))
                    .isEqualTo(Expected.totalsByThread(profile, resource));
        }
    }

    @Property(tries = 50)
    void writingIsDeterministicAndStable(@ForAll("profiles") Profile profile) {
        byte[] written = write(profile);
        assertThat(write(profile)).isEqualTo(written);
        Profile again = read(written);
        assertThat(read(write(again))).isEqualTo(again);
    }

    @Property(tries = 50)
    void writtenFilesAreRecognised(@ForAll long seed) {
        Profile profile = RandomProfiles.profile(seed, 60, false);
        byte[] written = write(profile);
        if (!profile.columns().isEmpty()) {
            Source source = Compression.unpacked(Source.of("file", written), ReadOptions.DEFAULT);
            assertThat(Formats.detect(source).name()).isEqualTo(format().name());
        }
    }

    @Example
    void anEmptyProfileIsWrittenAndRead() {
        Profile empty = new ProfileBuilder().build(Provenance.NONE);
        assertThat(roundTrip(empty)).isEqualTo(empty);
    }

    @Example
    void hostileNamesComeBack() {
        ProfileBuilder builder = new ProfileBuilder();
        int row = 0;
        for (String name : RandomProfiles.HOSTILE) {
            int thread = builder.consumer(Consumer.thread("", name));
            int outer = builder.consumer(Consumer.method("", name, ""));
            int inner = builder.consumer(Consumer.method(name, "m", ""));
            int node = builder.child(Profile.ROOT, outer, Site.NONE);
            int leaf = builder.child(node, inner, Site.of(12, ++row % 8));
            builder.column(Resource.SAMPLES).add(node, thread, row);
            builder.column(Resource.SAMPLES).add(leaf, thread, 1);
        }
        Profile profile = builder.build(Provenance.NONE);
        Profile read = roundTrip(profile);
        assertThat(read).isEqualTo(expressible(profile));
        assertThat(Expected.totalsByThread(read, "samples"))
                .isEqualTo(Expected.totalsByThread(profile, "samples"));
    }

    @Example
    void theLargestTotalIsKept() {
        assertThat(roundTrip(oneSample(Long.MAX_VALUE, 1)))
                .isEqualTo(expressible(oneSample(Long.MAX_VALUE, 1)));
    }

    @Example
    void aStackOfAHundredThousandFramesIsKept() {
        Profile deep = oneSample(3, 100_000);
        assertThat(roundTrip(deep)).isEqualTo(expressible(deep));
    }

    @Example
    void aResourceThatIsNotThereIsRefused() {
        WriteOptions options = new WriteOptions(Optional.of("nonsense"));
        assertThatThrownBy(
                        () -> format().write(oneSample(1, 1), new ByteArrayOutputStream(), options))
                .isInstanceOf(ModelException.class)
                .hasMessageContaining("nonsense")
                .hasMessageContaining("samples");
    }

    static Profile oneSample(long value, int depth) {
        ProfileBuilder builder = new ProfileBuilder();
        int node = Profile.ROOT;
        for (int i = 0; i < depth; i++) {
            node = builder.child(node, builder.consumer(Consumer.method("A", "m" + i % 3, "")), 0);
        }
        builder.column(Resource.SAMPLES).add(node, Column.NO_THREAD, value);
        return builder.build(Provenance.NONE);
    }

    Profile roundTrip(Profile profile) {
        return read(write(profile));
    }

    Profile read(byte[] content) {
        Source packed = Source.of("test", content);
        return format().read(
                        Compression.unpacked(packed, ReadOptions.DEFAULT), ReadOptions.DEFAULT);
    }

    byte[] write(Profile profile) {
        return write(profile, WriteOptions.DEFAULT);
    }

    byte[] write(Profile profile, WriteOptions options) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            format().write(profile, out, options);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }
}
