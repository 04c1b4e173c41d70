package dev.heatline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.formats.Format;
import dev.heatline.formats.Formats;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ConvertTest {
    @TempDir private Path folder;

    /** A trace holds starts and ends, and samples have none. */
    static Stream<String> formatsOfSamples() {
        return Formats.all().stream()
                .filter(Format::isWritable)
                .map(Format::name)
                .filter(name -> !name.equals("trace"));
    }

    @ParameterizedTest
    @MethodSource("formatsOfSamples")
    void totalsSurviveEveryFormat(String name) {
        Path shop = Examples.shop(folder);
        Path converted = folder.resolve("shop.converted");
        Run.of("convert", shop, "-o", converted, "--format", name).isDone();
        Parsed json =
                Run.of("report", converted, "--resource", "samples", "--format", "json")
                        .isDone()
                        .json();
        assertThat(json.at("total").number()).isEqualTo(1000);
    }

    @Test
    void theEndingOfTheFileIsTheFormat() throws IOException {
        Path collapsed = folder.resolve("t.collapsed");
        Run.of("convert", Examples.TRACE, "-o", collapsed).isDone();
        assertThat(collapsed).content().contains("Main;A;B;C ");
        Path packed = folder.resolve("t.collapsed.gz");
        Run.of("convert", Examples.TRACE, "-o", packed).isDone();
        assertThat(Files.readAllBytes(packed)).startsWith(0x1f, 0x8b);
    }

    @Test
    void standardOutputNeedsAFormat() {
        Run.of("convert", Examples.TRACE).wrongUsageSaying("-o OUT", "--format");
        assertThat(
                        Run.of("convert", Examples.TRACE, "--format", "collapsed", "-r", "calls")
                                .isDone()
                                .out())
                .contains("Main;A;B 2\n");
    }

    @Test
    void onlyAPartIsConvertedIfAsked() {
        Path shop = Examples.shop(folder);
        Run run =
                Run.of("convert", shop, "--root", "Order::place", "--format", "collapsed").isDone();
        assertThat(run.out()).doesNotContain("Server.handle").contains("Order.place");
    }

    @Test
    void unknownFormatsAreWrongUsage() {
        Run.of("convert", Examples.TRACE, "-o", folder.resolve("a.xyz"))
                .wrongUsageSaying("a.xyz", "collapsed");
        Run.of("convert", Examples.TRACE, "--format", "xyz").wrongUsageSaying("xyz", "collapsed");
    }

    @Test
    void whatWasThereStaysWhenReadingFails() {
        Path before = Examples.file(folder, "out.collapsed", "a;b 1\n");
        Path broken = Examples.file(folder, "broken.trace", "0 > A\nsoon < A\n");
        Run.of("convert", broken, "-o", before).failedSaying("broken.trace");
        assertThat(before).content().isEqualTo("a;b 1\n");
        assertThat(folder.toFile().list())
                .containsExactlyInAnyOrder("out.collapsed", "broken.trace");
    }
}
