package dev.heatline.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heatline.model.Profile;
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
    void sizeGrowsWithWhatIsNew() {
        assertThat(write(oneSample(1, 100_000))).hasSizeLessThan(1_000);
    }
}
