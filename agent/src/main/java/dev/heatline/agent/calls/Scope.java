package dev.heatline.agent.calls;

import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Which classes are measured: the application's, and those of the JDK that were asked for. */
final class Scope {
    /**
     * What the hooks themselves stand on, what every object calls, and what is called where there
     * is no thread to speak of.
     */
    private static final List<String> NEVER =
            List.of(
                    "dev/heatline/agent/boot/",
                    "dev/heatline/agent/Agent",
                    "java/lang/Object",
                    "java/lang/Thread",
                    "java/lang/VirtualThread",
                    "java/lang/invoke/",
                    "java/lang/reflect/",
                    "java/lang/instrument/",
                    "java/util/concurrent/atomic/AtomicLongArray",
                    "jdk/internal/",
                    "sun/instrument/");

    /** Of the JDK, whoever loads them. */
    private static final List<String> JDK = List.of("java/", "jdk/", "sun/");

    /** Likewise, as its compiler comes by the application's loader; libraries are com.sun, too. */
    private static final Set<String> JDK_PACKAGES =
            ModuleLayer.boot().modules().stream()
                    .filter(module -> isOfJdk(module.getName()))
                    .flatMap(module -> module.getPackages().stream())
                    .collect(Collectors.toUnmodifiableSet());

    private final List<Pattern> includes;
    private final List<Pattern> excludes;

    Scope(List<String> includes, List<String> excludes) {
        this.includes = patterns(includes);
        this.excludes = patterns(excludes);
    }

    private static List<Pattern> patterns(List<String> written) {
        return written.stream().map(Scope::pattern).toList();
    }

    /** {@code *} stands for anything. */
    private static Pattern pattern(String written) {
        return Pattern.compile(
                Stream.of(written.split("\\*", -1))
                        .map(Pattern::quote)
                        .collect(Collectors.joining(".*")));
    }

    boolean includes(Class<?> type) {
        return !type.isHidden()
                && !type.isArray()
                && includes(type.getClassLoader(), type.getName().replace('.', '/'));
    }

    boolean includes(@Nullable ClassLoader loader, String internalName) {
        if (Scope.class.getClassLoader().equals(loader)) {
            return false;
        }
        if (startsWithOne(internalName, NEVER)) {
            return false;
        }
        String name = internalName.replace('/', '.');
        boolean ofJdk =
                loader == null
                        || loader.equals(ClassLoader.getPlatformClassLoader())
                        || startsWithOne(internalName, JDK)
                        || JDK_PACKAGES.contains(packageOf(name));
        return !matches(excludes, name) && (!ofJdk || matches(includes, name));
    }

    /** Why a class is not included, as the end of a sentence about it. */
    String refusal(Class<?> type) {
        String name = type.getName();
        if (type.isHidden()) {
            return "is a hidden class, which cannot be changed; take a method that calls it";
        }
        if (Scope.class.getClassLoader().equals(type.getClassLoader())) {
            return "is a class of this agent";
        }
        if (startsWithOne(name.replace('.', '/'), NEVER)) {
            return "cannot be measured: measuring itself needs it; take a method that calls it";
        }
        return matches(excludes, name)
                ? "is excluded by --exclude"
                : "is a class of the JDK; --include '" + name + "' has it measured";
    }

    private static boolean isOfJdk(String module) {
        return module.startsWith("java.") || module.startsWith("jdk.");
    }

    private static String packageOf(String name) {
        return name.substring(0, Math.max(0, name.lastIndexOf('.')));
    }

    private static boolean startsWithOne(String name, List<String> prefixes) {
        for (String prefix : prefixes) {
            if (name.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }

    private static boolean matches(List<Pattern> patterns, String name) {
        for (Pattern pattern : patterns) {
            if (pattern.matcher(name).matches()) {
                return true;
            }
        }
        return false;
    }
}
