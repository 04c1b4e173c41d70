package dev.heatline.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RegexTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "(?:(?:){3000}){3000}x",
                "(?:(?:){2147483647}){2147483647}x",
                "a(?:(?:){2147483647}){2147483647}x",
                "(?:a(?:){2147483647})*x",
                "(?:a?){2147483647}(?:){99999}x",
                "(a|b)(||)(||)(||)(||)(||)(||)(||)(||)(||)(||)(||)(||)(||)(||)(||)(||)(?=x)",
                "(?=.*(?:){99999})",
                "(?<=(?:){999})",
                "(?:\\b*?(?>(?>|${3,}){500}){30}(|(?i:[ab]{0,3}){3,}){500})+b+",
                "(a)\\1(?:){99999}",
                "(?:(?:(?:){999}){999}){999}x",
                "((|){40})x",
                "(?:){2147483647}",
                "(?:^){20000}",
                "(?:\\b{g}){2147483647}x",
                "(?:\\Q\\E){2147483647}x",
                "(?:[a[b]]?(?:){99999})x",
                "(?:(?=a|)(?:){999}){999}",
                "(?i:(?:){99999})",
                "(?<n>(?:){99999})",
                "(?:\\p{Lu}*){999999999}",
                "(||)(||)(||)(||)(||)(||)(||)(||)(||)(||)(||)(||)(||)(||)(||)(||)(?=x)",
                "(a*|b*)(a*|b*)(a*|b*)(a*|b*)(a*|b*)(a*|b*)(a*|b*)(a*|b*)(a*|b*)(a*|b*)(a*|b*)"
                        + "(a*|b*)(a*|b*)(a*|b*)(a*|b*)(a*|b*)(?=x)"
            })
    void whatWorksWithoutLookingAtANameIsRefused(String regex) {
        assertThatThrownBy(() -> Regex.compile(regex))
                .isInstanceOf(ModelException.class)
                .hasMessageContaining("may be empty");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "com\\.shop\\..*",
                "(?i)orders|carts|(?:tills)+",
                "^(?:http|https)-worker-\\d{1,4}$",
                "(?:[a-f0-9]{8}-){4}[a-f0-9]{12}",
                "(?:ab){2000}",
                "([^.]+\\.)*Cart(?:\\$\\d+)?\\.(total|\\Qadd\\E)",
                "(?<=\\.)[\\p{Lu}&&[^Z]]\\w*",
                "[]a)]|[^](]{3}",
                "\\x{41}{3}\\u0041\\cA\\k?",
                "(?<name>a)\\k<name>{2}\\1",
                "((a|b)*c?)+",
                ""
            })
    void whatPeopleWriteIsNot(String regex) {
        assertThat(compiles(regex)).isEqualTo(compilesInJava(regex));
    }

    private static boolean compiles(String regex) {
        try {
            Regex.compile(regex);
            return true;
        } catch (ModelException e) {
            assertThat(e).hasMessageContaining("does not compile");
            return false;
        }
    }

    private static boolean compilesInJava(String regex) {
        try {
            Pattern.compile(regex);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    @Test
    void commentsCouldHideARepetition() {
        assertThatThrownBy(() -> Regex.compile("(?x)(?:) {2147483647}x"))
                .isInstanceOf(ModelException.class)
                .hasMessageContaining("(?x)");
    }

    @Test
    void allNamesTogetherHaveSoMuchTime() {
        Pattern pattern = Regex.compile("a");
        assertThat(Regex.within(Duration.ofDays(1), () -> Regex.find(pattern.matcher("a"), "a")))
                .isTrue();
        assertThatThrownBy(
                        () ->
                                Regex.within(
                                        Duration.ZERO, () -> Regex.find(pattern.matcher("a"), "a")))
                .isInstanceOf(ModelException.class)
                .hasMessageContaining("takes too long");
    }
}
