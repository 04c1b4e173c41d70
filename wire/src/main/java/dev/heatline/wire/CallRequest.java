package dev.heatline.wire;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What to measure exactly in a JVM: a file of one {@code name value} a line, which the tool writes
 * before it loads the agent.
 *
 * @param roots as {@code Class::method}, with the types of its parameters if several have that name
 * @param eager whether everything reachable is changed at once, and not when it is first called
 * @param sampled whether times are taken of some calls of a context only, once they are known well
 * @param includes patterns of classes of the JDK that are measured, too
 * @param excludes patterns of classes that are not measured
 * @param methods how many may be changed
 */
public record CallRequest(
        List<String> roots,
        boolean eager,
        boolean sampled,
        List<String> includes,
        List<String> excludes,
        int methods) {

    /** In the folder that both sides share. */
    public static final String FILE = "request";

    /** Likewise; the tool touches it as long as it lives, and measuring ends when it does not. */
    public static final String ALIVE = "alive";

    /** More would be most of an application, which a smaller root serves better. */
    public static final int USUAL_METHODS = 20_000;

    private static final int MOST_BYTES = 1 << 20;
    private static final String ROOT = "root";
    private static final String EAGER = "eager";
    private static final String SAMPLED = "sampled";
    private static final String INCLUDE = "include";
    private static final String EXCLUDE = "exclude";
    private static final String METHODS = "methods";

    /** Writes it where the agent looks for it. */
    public void write(Path folder) throws IOException {
        List<String> lines = new ArrayList<>();
        roots.forEach(each -> lines.add(ROOT + " " + each));
        lines.add(EAGER + " " + eager);
        lines.add(SAMPLED + " " + sampled);
        includes.forEach(each -> lines.add(INCLUDE + " " + each));
        excludes.forEach(each -> lines.add(EXCLUDE + " " + each));
        lines.add(METHODS + " " + methods);
        Files.write(folder.resolve(FILE), lines);
    }

    /**
     * What was written there.
     *
     * @throws IOException if there is no such file, or it is none
     */
    public static CallRequest read(Path folder) throws IOException {
        List<String> roots = new ArrayList<>();
        List<String> includes = new ArrayList<>();
        List<String> excludes = new ArrayList<>();
        boolean eager = false;
        boolean sampled = false;
        int methods = USUAL_METHODS;
        for (String line : SmallFile.text(folder.resolve(FILE), MOST_BYTES).split("\n", -1)) {
            int space = line.indexOf(' ');
            String value = line.substring(space + 1);
            switch (line.substring(0, Math.max(0, space))) {
                case ROOT -> roots.add(value);
                case EAGER -> eager = Boolean.parseBoolean(value);
                case SAMPLED -> sampled = Boolean.parseBoolean(value);
                case INCLUDE -> includes.add(value);
                case EXCLUDE -> excludes.add(value);
                case METHODS -> methods = number(value);
                default -> {
                    if (!line.isEmpty()) {
                        throw new IOException("not understood: " + line);
                    }
                }
            }
        }
        return new CallRequest(roots, eager, sampled, includes, excludes, methods);
    }

    private static int number(String value) throws IOException {
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw new IOException("not a number: " + value, e);
        }
    }
}
