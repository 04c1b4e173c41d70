package dev.heatline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class InstallationTest {

    @Test
    void theSourcesOfTheShopAreBesideThoseOfTheCommand() {
        Path sources = Installation.here().shopSources().orElseThrow();
        assertThat(sources.resolve("dev/heatline/shop/Shop.java")).isRegularFile();
    }
}
