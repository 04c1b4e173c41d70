package dev.heatline.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class OptionsTest {

    @Test
    void everyKnownOptionIsTaken() {
        Options options =
                Options.of(
                        "app=shop, version=1.2,instance=a,label.zone=eu,server=http://h:4040/?a=b");
        assertThat(options.values())
                .isEqualTo(
                        Map.of(
                                "app", "shop",
                                "version", "1.2",
                                "instance", "a",
                                "label.zone", "eu",
                                "server", "http://h:4040/?a=b"));
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
}
