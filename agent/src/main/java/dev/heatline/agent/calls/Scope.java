package dev.heatline.agent.calls;

import java.util.List;
import java.util.regex.Pattern;
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

    /** Of the JDK, whoever loads them: its compiler comes by the application's loader. */
    private static final List<String> JDK = List.of("java/", "jdk/", "sun/", "com/sun/");

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
        return Pattern.compile(("\\Q" + written + "\\E").replace("*", "\\E.*\\Q"));
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
                        || startsWithOne(internalName, JDK);
        return !matches(excludes, name) && (!ofJdk || matches(includes, name));
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
