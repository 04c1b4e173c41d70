package dev.heatline.agent.locks;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;

/** A program that has the JVM verify classes, and says which are wrong. */
final class LoadsAll {
    private LoadsAll() {}

    /** Takes a folder of classes and a file with the names of those that are to be verified. */
    public static void main(String[] args) throws Exception {
        URL[] places = {Path.of(args[0]).toUri().toURL()};
        int methods = 0;
        // Seen by nobody else, and so verified.
        try (URLClassLoader loader =
                new URLClassLoader(places, ClassLoader.getPlatformClassLoader())) {
            for (String name : Files.readAllLines(Path.of(args[1]))) {
                try {
                    // Without running any of its code.
                    methods += Class.forName(name, false, loader).getDeclaredMethods().length;
                } catch (NoClassDefFoundError e) {
                    // Something that it needs is not there, with and without hooks.
                    System.out.println("left out " + name);
                } catch (LinkageError e) {
                    System.out.println("wrong " + name + " " + e);
                }
            }
        }
        System.out.println("verified " + methods);
    }
}
