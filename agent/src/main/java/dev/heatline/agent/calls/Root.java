package dev.heatline.agent.calls;

import dev.heatline.agent.RefusedException;
import dev.heatline.agent.calls.ClassShape.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Type;

/**
 * A root as people write it: {@code com.shop.Checkout::process}, {@code Checkout::process} if there
 * is only one such class, {@code Checkout::process(String,int)} if there are several such methods.
 *
 * @param parameters null if they were not written
 */
record Root(String className, String methodName, @Nullable List<String> parameters) {
    private static final int SUGGESTED = 5;

    static Root of(String written) throws RefusedException {
        int colons = written.indexOf("::");
        int open = written.indexOf('(');
        boolean closed = open < 0 || written.endsWith(")");
        if (colons <= 0 || (open >= 0 && open < colons) || !closed) {
            throw new RefusedException(
                    written + " is not a root; write it as com.shop.Checkout::process");
        }
        String className = written.substring(0, colons);
        if (open < 0) {
            return new Root(className, written.substring(colons + 2), null);
        }
        List<String> parameters = new ArrayList<>();
        for (String each : written.substring(open + 1, written.length() - 1).split(",", -1)) {
            if (!each.isBlank()) {
                parameters.add(each.strip());
            }
        }
        return new Root(className, written.substring(colons + 2, open), parameters);
    }

    /** Whether a class of that binary name is meant, if none is that has just the name written. */
    boolean isMeant(String binaryName) {
        return isMeant(className, binaryName);
    }

    private static boolean isMeant(String written, String binaryName) {
        return isNamed(written, binaryName) || dotted(binaryName).endsWith("." + dotted(written));
    }

    /** Whether a class has just the name written, its package included. */
    boolean isNamed(String binaryName) {
        return isNamed(className, binaryName);
    }

    private static boolean isNamed(String written, String binaryName) {
        return dotted(binaryName).equals(dotted(written));
    }

    private static String dotted(String name) {
        return name.replace('$', '.');
    }

    /**
     * Whether the name has a package, as far as that can be seen: what is before the last dot may
     * be a class that others are nested in.
     */
    boolean isQualified(Collection<String> binaryNames) {
        int dot = dotted(className).lastIndexOf('.');
        String before = className.substring(0, Math.max(0, dot));
        return className.indexOf('.') > 0
                && (binaryNames.stream().anyMatch(name -> isNamed(before, name))
                        || binaryNames.stream().noneMatch(name -> isMeant(before, name)));
    }

    /**
     * Which of those classes is meant; null if it is not loaded yet.
     *
     * @throws RefusedException if several are, or none will ever be
     */
    @Nullable String find(Collection<String> binaryNames) throws RefusedException {
        List<String> meant =
                binaryNames.stream().filter(this::isMeant).distinct().sorted().toList();
        meant = preferred(preferred(meant, this::isNamed), className::equals);
        if (meant.size() > 1) {
            throw new RefusedException(
                    className + " may be " + String.join(" or ", meant) + "; write it in full");
        }
        if (meant.isEmpty() && !isQualified(binaryNames)) {
            throw new RefusedException(
                    "no class "
                            + className
                            + " is loaded"
                            + similar(className, binaryNames)
                            + "; write its package to wait for it");
        }
        return meant.isEmpty() ? null : meant.get(0);
    }

    /** Those that are, if there are any. */
    private static List<String> preferred(List<String> names, Predicate<String> wanted) {
        List<String> some = names.stream().filter(wanted).toList();
        return some.isEmpty() ? names : some;
    }

    /** What to say of one that is waited for. */
    String waiting(Collection<String> binaryNames) {
        return className + " is not loaded yet" + similar(className, binaryNames);
    }

    /**
     * The method in that class.
     *
     * @throws RefusedException if there is none with code, or several; says which there are
     */
    Method find(ClassShape shape) throws RefusedException {
        String name = shape.name().replace('/', '.');
        List<Method> named =
                shape.methods().stream()
                        .filter(each -> each.signature().name().equals(methodName))
                        .toList();
        if (named.isEmpty()) {
            throw new RefusedException(
                    name
                            + " has no method "
                            + methodName
                            + similar(
                                    methodName,
                                    shape.methods().stream()
                                            .map(each -> each.signature().name())
                                            .distinct()
                                            .toList()));
        }
        List<Method> meant = named.stream().filter(this::isMeant).toList();
        if (meant.size() > 1) {
            // What compilers add only calls what was written.
            meant = meant.stream().filter(method -> !method.isBridge()).toList();
        }
        if (meant.size() != 1) {
            throw new RefusedException(
                    (meant.isEmpty() ? "no such method" : "several methods are meant")
                            + ": there "
                            + (named.size() == 1 ? "is " : "are ")
                            + named.stream()
                                    .map(each -> name + "::" + written(each))
                                    .collect(Collectors.joining(", ")));
        }
        Method method = meant.get(0);
        if (methodName.startsWith("<")) {
            throw new RefusedException(
                    "a constructor or static initialiser is no root; take who calls it");
        }
        if (!method.hasCode()) {
            boolean isNative = method.isNative();
            throw new RefusedException(
                    name
                            + "::"
                            + methodName
                            + " is "
                            + (isNative ? "native" : "abstract")
                            + ", there is no code to measure; "
                            + (isNative
                                    ? "take a method that calls it"
                                    : "take who implements it"));
        }
        return method;
    }

    private boolean isMeant(Method method) {
        if (parameters == null) {
            return true;
        }
        Type[] types = Type.getArgumentTypes(method.signature().descriptor());
        boolean same = types.length == parameters.size();
        for (int i = 0; same && i < types.length; i++) {
            String type = types[i].getClassName().replace('$', '.');
            String wanted = parameters.get(i).replace('$', '.');
            same = type.equals(wanted) || type.endsWith("." + wanted);
        }
        return same;
    }

    private static String written(Method method) {
        StringBuilder types = new StringBuilder();
        for (Type type : Type.getArgumentTypes(method.signature().descriptor())) {
            String name = type.getClassName();
            types.append(types.length() == 0 ? "" : ",")
                    .append(name.substring(name.lastIndexOf('.') + 1));
        }
        return method.signature().name() + "(" + types + ")";
    }

    /** What somebody may have meant, as the end of a sentence. */
    static String similar(String written, Collection<String> names) {
        String last = lastPart(written);
        int limit = Math.max(1, last.length() / 3);
        List<String> near =
                names.stream()
                        .filter(name -> distance(last, lastPart(name)) <= limit)
                        .sorted(
                                Comparator.<String>comparingInt(
                                                name -> distance(last, lastPart(name)))
                                        .thenComparing(name -> name))
                        .limit(SUGGESTED)
                        .toList();
        return near.isEmpty() ? "" : "; is it " + String.join(" or ", near) + "?";
    }

    private static String lastPart(String name) {
        return name.substring(Math.max(name.lastIndexOf('.'), name.lastIndexOf('$')) + 1);
    }

    /** How many letters have to be changed, added or left out. */
    private static int distance(String one, String other) {
        int[] row = new int[other.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= one.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int replaced = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[other.length()];
    }
}
