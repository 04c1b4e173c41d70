package dev.heatline.cli;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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

    /** The command line of a collector, as the launcher would start it. */
    List<String> collector(List<String> words) {
        if (!Files.isRegularFile(jar)) {
            throw new CommandException(jar + " is no jar: start heatline by its launcher");
        }
        List<String> command = new ArrayList<>(List.of(java(), "-Xlog:disable"));
        command.addAll(List.of("--sun-misc-unsafe-memory-access=allow", "-XX:-UsePerfData"));
        command.addAll(
                List.of(
                        "-XX:+UseSerialGC",
                        "@" + find("packaging/collector.args", "collector.args")));
        command.addAll(List.of("-jar", jar.toString(), "collect"));
        command.addAll(words);
        return command;
    }

    /** The program that runs this JVM. */
    static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** What is loaded into a JVM to trace it. */
    Path agent() {
        return find("agent/target/heatline-agent.jar", "heatline-agent.jar");
    }

    /** The example shop. */
    Path shop() {
        return find("examples/shop/target/shop.jar", "shop/shop.jar");
    }

    /** Its sources, where they are at hand. */
    Optional<Path> shopSources() {
        return places("examples/shop/src/main/java", "shop/src").stream()
                .filter(Files::isDirectory)
                .findFirst();
    }

    /** A file beside the sources after a build, or beside the jar when unpacked. */
    private Path find(String inSources, String unpacked) {
        List<Path> places = places(inSources, unpacked);
        return places.stream()
                .filter(Files::isRegularFile)
                .findFirst()
                .orElseThrow(() -> new CommandException("there is none of " + places));
    }

    private List<Path> places(String inSources, String unpacked) {
        return List.of(
                jar.resolve("../../..").resolve(inSources).normalize(),
                jar.resolveSibling(unpacked));
    }
}
