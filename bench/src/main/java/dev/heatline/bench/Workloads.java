package dev.heatline.bench;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/** The programs of {@code src/workload}, which run in JVMs of their own and on older JDKs too. */
final class Workloads {
    private static final String PACKAGE = "dev.heatline.bench.workload.";

    static final String MIXED = PACKAGE + "Workload";
    static final String DEEP_STACKS = PACKAGE + "DeepStacks";
    static final String TARGET = PACKAGE + "Target";

    /** What a {@link #TARGET} can be told to do. */
    static final List<String> NAMES = List.of("h2", "lucene", "xslt", "compiler", "shop");

    private static final int NEWER_LUCENE_JDK = 21;

    private Workloads() {}

    /** The class path for a JDK: Lucene's newest needs 21. */
    static String classPath(int feature) {
        Path target = Objects.requireNonNull(ownJar().getParent());
        List<String> path = new ArrayList<>();
        path.add(target.resolve("workload").toString());
        boolean older = feature < NEWER_LUCENE_JDK;
        if (older) {
            path.addAll(jars(target.resolve("lib17"), "lucene-core"));
        }
        for (String library : List.of("h2", "xalan", "serializer", "ecj", "heatline-shop")) {
            path.addAll(jars(target.resolve("lib"), library));
        }
        if (!older) {
            path.addAll(jars(target.resolve("lib"), "lucene-core"));
        }
        return String.join(":", path);
    }

    /** An agent of {@code src/workload}, for JVMs with {@link #classPath}: a jar that names it. */
    static Path agent(String name) throws IOException {
        Manifest manifest = new Manifest();
        Attributes main = manifest.getMainAttributes();
        main.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        main.putValue("Agent-Class", PACKAGE + name);
        main.putValue("Can-Retransform-Classes", "true");
        Path jar = Files.createTempFile(name, ".jar");
        try (OutputStream out = Files.newOutputStream(jar)) {
            new JarOutputStream(out, manifest).close();
        }
        return jar;
    }

    /** This is always started from its jar, beside which everything else lies. */
    private static Path ownJar() {
        return Path.of(
                        Workloads.class
                                .getProtectionDomain()
                                .getCodeSource()
                                .getLocation()
                                .getPath())
                .toAbsolutePath();
    }

    /** The folder of the whole project. */
    static Path project() {
        return ownJar().resolve("../../..").normalize();
    }

    private static List<String> jars(Path folder, String name) {
        List<String> found = new ArrayList<>();
        try (DirectoryStream<Path> jars = Files.newDirectoryStream(folder, name + "-[0-9]*.jar")) {
            jars.forEach(jar -> found.add(jar.toString()));
        } catch (IOException e) {
            throw new UncheckedIOException("build bench first: ./verify", e);
        }
        if (found.isEmpty()) {
            throw new IllegalStateException(
                    "no " + name + " in " + folder + ": ./verify builds it");
        }
        Collections.sort(found);
        return found;
    }
}
