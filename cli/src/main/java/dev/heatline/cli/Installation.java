package dev.heatline.cli;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The files this command is made of: what it needs to start more of itself. */
final class Installation {
    private final Path jar;

    private Installation(Path jar) {
        this.jar = jar;
    }

    static Installation here() {
        try {
            return new Installation(
                    Path.of(
                            Installation.class
                                    .getProtectionDomain()
                                    .getCodeSource()
                                    .getLocation()
                                    .toURI()));
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * The command line of another heatline process.
     *
     * @param jvmOptions for its JVM
     */
    List<String> heatline(List<String> jvmOptions, String... words) {
        if (!Files.isRegularFile(jar)) {
            throw new CommandException(jar + " is no jar: start heatline by its launcher");
        }
        List<String> command = new ArrayList<>(List.of(java(), "-Xlog:disable"));
        command.addAll(List.of("--sun-misc-unsafe-memory-access=allow", "-XX:-UsePerfData"));
        command.addAll(jvmOptions);
        command.addAll(List.of("-jar", jar.toString()));
        command.addAll(List.of(words));
        return command;
    }

    /** The program that runs this JVM. */
    static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** The example shop: beside the sources after a build, or beside the jar when unpacked. */
    Path shop() {
        List<Path> places =
                List.of(
                        jar.resolve("../../../examples/shop/target/shop.jar").normalize(),
                        jar.resolveSibling("shop/shop.jar"));
        return places.stream()
                .filter(Files::isRegularFile)
                .findFirst()
                .orElseThrow(
                        () -> new CommandException("the example shop is not there: " + places));
    }
}
