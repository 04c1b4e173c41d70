package dev.heatline.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.heatline.model.Column;
import dev.heatline.model.Consumer;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Provenance;
import dev.heatline.model.Resource;
import dev.heatline.model.Site;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Example;

class HeatFormatTest extends FormatContract {

    @Override
    Format format() {
        return new HeatFormat();
    }

    @Override
    Profile expressible(Profile profile) {
        return profile;
    }

    @Override
    List<String> writtenResources(Profile profile) {
        return profile.columns().stream().map(column -> column.resource().name()).toList();
    }

    @Example
    void newerVersionsAreRefused() {
        byte[] file = write(oneSample(1, 1));
        file[7] = 2;
        assertThatThrownBy(() -> read(file))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining("version 2")
                .hasMessageContaining("newer Heatline");
    }

    @Example
    void noFlippedBitChangesTheProfile() {
        Profile profile = RandomProfiles.profile(1, 20, false);
        byte[] file = write(profile);
        for (int bit = 0; bit < file.length * 8; bit++) {
            byte[] damaged = file.clone();
            damaged[bit / 8] ^= (byte) (1 << bit % 8);
            try {
                // Some bits of a zstd frame mean nothing: then nothing may have changed.
                assertThat(read(damaged)).as("bit %s", bit).isEqualTo(profile);
            } catch (FormatException e) {
                assertThat(e).hasMessageStartingWith("test: ");
            }
        }
    }

    @Example
    void everyCutIsNoticed() {
        byte[] file = write(RandomProfiles.profile(2, 20, true));
        for (int length = 0; length < file.length; length++) {
            byte[] cut = Arrays.copyOf(file, length);
            assertThatThrownBy(() -> read(cut)).isInstanceOf(FormatException.class);
        }
    }

    @Example
    void aSizeThatIsNotAllowedIsRefused() {
        Source source = Source.of("big", write(oneSample(1, 100_000)));
        ReadOptions limited = ReadOptions.DEFAULT.withMaxUnpackedBytes(10_000);
        assertThatThrownBy(() -> format().read(source, limited))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining("big: unpacks to");
    }

    @Example
    void factsTakeTheirPartOfTheText() {
        Profile profile =
                RandomProfiles.profile(2, 20, true)
                        .withProvenance(Provenance.NONE.withFact("a", "x".repeat(500_000)));
        Source source = Source.of("told", write(profile));
        ReadOptions limited = ReadOptions.DEFAULT.withMaxUnpackedBytes(1_000_000);
        assertThatThrownBy(() -> format().read(source, limited))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining("the facts are too long");
    }

    @Example
    void longNamesWithTheSameBeginningComeBack() {
        String beginning = "x".repeat(HeatTexts.MAX_SHARED + 10);
        ProfileBuilder builder = new ProfileBuilder();
        for (String end : List.of("a", "b", "bc")) {
            int consumer = builder.consumer(Consumer.method("", beginning + end, ""));
            int node = builder.child(Profile.ROOT, consumer, Site.NONE);
            builder.column(Resource.SAMPLES).add(node, Column.NO_THREAD, 1);
        }
        Profile profile = builder.build(Provenance.NONE);
        assertThat(roundTrip(profile)).isEqualTo(profile);
    }

    /** Each text is the one before and one more character: a triangle of them. */
    @Example
    void namesThatGrowOnEachOtherDoNotFillTheMemory() throws IOException {
        byte[] body = growingNames(20_000, 1);
        assertThatThrownBy(() -> new HeatReader("test", body, 4 << 20).read())
                .isInstanceOf(FormatException.class)
                .hasMessageContaining("makes the names too long at text");
    }

    @Example
    void onlySoMuchOfANameIsShared() throws IOException {
        byte[] body = growingNames(2, HeatTexts.MAX_SHARED + 1);
        assertThatThrownBy(() -> new HeatReader("test", body, 1 << 20).read())
                .isInstanceOf(FormatException.class)
                .hasMessageContaining("has 65537 at text 1");
    }

    private static byte[] growingNames(int count, int step) throws IOException {
        Varints zeros = new Varints();
        Varints shared = new Varints();
        Varints steps = new Varints();
        for (int i = 0; i < count; i++) {
            zeros.add(0);
            shared.add((long) i * step);
            steps.add(step);
        }
        ByteString owners =
                Message.bytes(
                        out -> {
                            out.writeByteArray(1, zeros.bytes(), 0, zeros.size());
                            out.writeByteArray(2, shared.bytes(), 0, shared.size());
                            out.writeByteArray(3, steps.bytes(), 0, steps.size());
                            out.writeByteArray(4, new byte[count * step]);
                        });
        ByteString consumers = Message.bytes(out -> out.writeBytes(2, owners));
        return Message.bytes(out -> out.writeBytes(3, consumers)).toByteArray();
    }

    @Example
    void emptyMessagesDoNotFillTheMemory() throws IOException {
        byte[] body =
                Message.bytes(
                                out -> {
                                    for (int i = 0; i <= HeatMessage.MAX_REPEATS; i++) {
                                        out.writeByteArray(5, new byte[0]);
                                    }
                                })
                        .toByteArray();
        assertThatThrownBy(() -> new HeatReader("test", body, 1 << 20).read())
                .isInstanceOf(FormatException.class)
                .hasMessageContaining("profile: field 5 is there more than 1048576 times");
    }

    @Example
    void sizeGrowsWithWhatIsNew() {
        assertThat(write(oneSample(1, 100_000))).hasSizeLessThan(1_000);
    }
}
