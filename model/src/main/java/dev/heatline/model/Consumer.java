package dev.heatline.model;

import java.util.Comparator;

/**
 * An actor that uses resources: a method, a thread, a lock, a label.
 *
 * @param type what kind of actor
 * @param owner the fully qualified class (dots) of a method, the group of a thread, otherwise empty
 * @param name the simple name of a method, otherwise the whole name
 * @param descriptor the JVM descriptor of a method, empty where it is unknown or does not apply
 */
public record Consumer(ConsumerType type, String owner, String name, String descriptor)
        implements Comparable<Consumer> {

    /** Stands at the root of every tree. */
    public static final Consumer ROOT = new Consumer(ConsumerType.ROOT, "", "all threads", "");

    /** Above the forest of stacks whose outermost frames were not recorded. */
    public static final Consumer TRUNCATED = label("[truncated stacks]");

    /** Takes the values of what {@link Operations#prune} removed. */
    public static final Consumer PRUNED = label("[pruned]");

    private static final Comparator<Consumer> ORDER =
            Comparator.comparing(Consumer::type)
                    .thenComparing(Consumer::owner)
                    .thenComparing(Consumer::name)
                    .thenComparing(Consumer::descriptor);

    public static Consumer method(String className, String name, String descriptor) {
        return new Consumer(ConsumerType.METHOD, className, name, descriptor);
    }

    /** A method known only by a written name; see {@link MethodNames#parse}. */
    public static Consumer method(String written) {
        return MethodNames.parse(written);
    }

    public static Consumer thread(String group, String name) {
        return new Consumer(ConsumerType.THREAD, group, name, "");
    }

    public static Consumer label(String name) {
        return new Consumer(ConsumerType.LABEL, "", name, "");
    }

    public boolean isMethod() {
        return type == ConsumerType.METHOD;
    }

    /** The name people read: {@code pkg.Class.method(Param,Param)} for methods. */
    public String display() {
        return isMethod() ? MethodNames.display(this) : name;
    }

    /** The package of a method or class; empty for the default package and everything else. */
    public String packageName() {
        String written = isMethod() ? owner : type == ConsumerType.CLASS ? name : "";
        // A hidden class may have a dot before its address, which separates no package.
        String className = GeneratedNames.normaliseClass(written);
        int dot = className.lastIndexOf('.');
        return dot < 0 ? "" : className.substring(0, dot);
    }

    @Override
    public int compareTo(Consumer other) {
        return ORDER.compare(this, other);
    }
}
