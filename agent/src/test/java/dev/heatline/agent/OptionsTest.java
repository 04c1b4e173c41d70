package dev.heatline.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class OptionsTest {

    @Test
    void everyKnownOptionIsTaken() {
        Options options = Options.of("app=shop, version=1.2,instance=a=b,label.zone=eu");
        assertThat(options.values())
                .isEqualTo(
                        Map.of(
                                "app", "shop",
                                "version", "1.2",
                                "instance", "a=b",
                                "label.zone", "eu"));
        assertThat(options.problems()).isEmpty();
    }

    @Test
    void whatIsNotUnderstoodIsSaidAndLeftOut() {
        Options options = Options.of("app=shop,colour=blue,,label.=x,shop");
        assertThat(options.values()).isEqualTo(Map.of("app", "shop"));
        assertThat(options.problems())
                .hasSize(3)
                .anyMatch(problem -> problem.contains("colour=blue") && problem.contains("app="));
        assertThat(Options.of("")).isEqualTo(Options.of(" , "));
    }

    @Test
    void theServerIsTheCollectorsBusiness() {
        Options options = Options.of("app=shop,server=http://h:4040");
        assertThat(options.values()).isEqualTo(Map.of("app", "shop"));
        assertThat(options.problems())
                .singleElement()
                .asString()
                .contains("heatline collect --server");
    }
}
