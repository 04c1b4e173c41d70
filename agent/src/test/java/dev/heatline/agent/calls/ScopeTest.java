package dev.heatline.agent.calls;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Whose classes are measured. */
class ScopeTest {
    /** Not the agent's own, of which nothing is measured: here they share one. */
    private static final ClassLoader APPLICATION = new ClassLoader() {};

    private static boolean includes(String name, List<String> includes, List<String> excludes) {
        return new Scope(includes, excludes).includes(APPLICATION, name);
    }

    @Test
    void librariesBelowComSunAreNotOfTheJdk() {
        for (String name :
                List.of("com/sun/mail/A", "com/sun/jna/A", "com/sun/jersey/A", "com/shop/A", "A")) {
            assertThat(includes(name, List.of(), List.of())).as(name).isTrue();
        }
        for (String name :
                List.of(
                        "com/sun/tools/javac/Main",
                        "com/sun/source/tree/Tree",
                        "sun/misc/Unsafe")) {
            assertThat(includes(name, List.of(), List.of())).as(name).isFalse();
            assertThat(includes(name, List.of("*"), List.of())).as(name).isTrue();
        }
    }

    @Test
    void aStarStandsForAnythingAndNothingElseDoes() {
        assertThat(includes("com/shop/A", List.of(), List.of("com.shop.*"))).isFalse();
        assertThat(includes("com/shopping/A", List.of(), List.of("com.shop.*"))).isTrue();
        assertThat(includes("com/shop/A", List.of(), List.of("com.*.A"))).isFalse();
        assertThat(includes("com/shop/A", List.of(), List.of("com.shop.["))).isTrue();
        assertThat(includes("com/shop/A", List.of(), List.of("com\\E.shop", "\\Q*\\E"))).isTrue();
    }
}
