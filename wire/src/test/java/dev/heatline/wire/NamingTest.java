package dev.heatline.wire;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NamingTest {

    @ParameterizedTest
    @ValueSource(
            strings = {"", "shop", "shop 1.2", "a/b", "..a", "a..", "a/...", "naïve", "店", "😀"})
    void ordinaryNamesAreKept(String name) {
        assertThat(Naming.isName(name)).isTrue();
        assertThat(Naming.mended(name)).isEqualTo(name);
    }

    @ParameterizedTest
    @CsvSource({
        "R&D, R_D",
        "<b>\"x\"</b>, _b__x__/b_",
        "C:\\shop, C:_shop",
        "`id`, _id_",
        "'a\tb\u202ec\u200d', a_b_c_",
        ".., __",
        "../../etc, __/__/etc",
        "a/../b/.., a/__/b/__"
    })
    void whatNoNameHasIsReplaced(String text, String name) {
        assertThat(Naming.isName(text)).isFalse();
        assertThat(Naming.mended(text)).isEqualTo(name);
        assertThat(Naming.isName(name)).isTrue();
    }

    @Test
    void longNamesAreCutBetweenCharacters() {
        String text = "x".repeat(Naming.MAX_LENGTH - 1) + "😀😀";
        assertThat(Naming.isName(text)).isFalse();
        assertThat(Naming.mended(text)).isEqualTo("x".repeat(Naming.MAX_LENGTH - 1) + "_");
    }

    @Property
    void whatIsMendedIsAName(@ForAll @StringLength(max = 600) String text) {
        assertThat(Naming.isName(Naming.mended(text))).isTrue();
    }

    @Property
    void pathsAreMendedToo(
            @ForAll @StringLength(max = 12) @CharRange(from = '.', to = '/') String text) {
        assertThat(Naming.isName(Naming.mended(text))).isTrue();
        assertThat(Naming.isName(text)).isEqualTo(Naming.mended(text).equals(text));
    }
}
