package dev.heatline.agent.locks;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which classes get hooks: all of the application's, and those of the JDK whose monitors
 * applications share. More of the JDK would cost seconds when tracing begins.
 */
final class Choice {
    static final String LOCK_SUPPORT = "java/util/concurrent/locks/LockSupport";

    private static final Set<String> JDK =
            Set.of(
                    LOCK_SUPPORT,
                    "java/lang/StringBuffer",
                    "java/util/Hashtable",
                    "java/util/Vector",
                    "java/util/Stack",
                    "java/util/Timer",
                    "java/util/TimerTask",
                    "java/util/TimerThread",
                    "java/util/Observable",
                    // Monitors of its bins.
                    "java/util/concurrent/ConcurrentHashMap",
                    "java/io/BufferedInputStream",
                    "java/io/BufferedOutputStream",
                    "java/io/BufferedReader",
                    "java/io/BufferedWriter",
                    "java/io/ByteArrayInputStream",
                    "java/io/ByteArrayOutputStream",
                    "java/io/CharArrayReader",
                    "java/io/CharArrayWriter",
                    "java/io/PipedInputStream",
                    "java/io/PipedOutputStream",
                    "java/io/PipedReader",
                    "java/io/PipedWriter",
                    "java/io/PrintStream",
                    "java/io/PrintWriter",
                    "java/io/RandomAccessFile",
                    "java/io/Reader",
                    "java/io/StringReader",
                    "java/io/Writer",
                    "sun/nio/cs/StreamDecoder",
                    "sun/nio/cs/StreamEncoder",
                    "java/security/SecureRandom",
                    "java/util/zip/Deflater",
                    "java/util/zip/Inflater");

    /** Families of classes of the JDK. */
    private static final List<String> JDK_PREFIXES =
            List.of(
                    "java/util/Collections$Synchronized",
                    "java/util/logging/",
                    "sun/nio/ch/",
                    "sun/net/httpserver/");

    /** Generated while the application runs, without monitors. */
    private static final List<String> GENERATED =
            List.of("jdk/internal/reflect/", "jdk/proxy", "com/sun/proxy/");

    private static final String LAMBDA = "$$Lambda";
    private static final String OURS = "dev.heatline.agent.Agent";

    private Choice() {}

    /** Whether a class is to be changed, if it has a monitor; its name is the internal one. */
    static boolean includes(@Nullable ClassLoader loader, String name) {
        if (loader == null || ClassLoader.getPlatformClassLoader().equals(loader)) {
            return JDK.contains(name) || startsWithOne(name, JDK_PREFIXES);
        }
        return !loader.getClass().getName().equals(OURS)
                && !name.contains(LAMBDA)
                && !startsWithOne(name, GENERATED);
    }

    private static boolean startsWithOne(String name, List<String> prefixes) {
        for (String prefix : prefixes) {
            if (name.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }
}
