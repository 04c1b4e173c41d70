package dev.heatline.agent.locks;

import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.AbstractQueuedLongSynchronizer;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Which classes may get hooks: all of the application's, and those of the JDK whose monitors
 * applications share.
 */
final class Choice {
    /** Where threads park and are woken. They have no monitors. */
    static final List<Class<?>> PARKING =
            List.of(
                    LockSupport.class,
                    AbstractQueuedSynchronizer.ConditionObject.class,
                    AbstractQueuedLongSynchronizer.ConditionObject.class);

    private static final Set<String> JDK =
            Set.of(
                    "java/util/Timer",
                    "java/util/TimerTask",
                    "java/util/TimerThread",
                    "java/util/Observable",
                    "java/io/PipedInputStream",
                    "java/io/PipedOutputStream",
                    "java/io/PipedReader",
                    "java/io/PipedWriter",
                    "java/lang/StringBuffer",
                    "java/util/Hashtable",
                    "java/util/Vector",
                    "java/util/Stack",
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

    /** Whether a class may be changed, if it has a monitor; its name is the internal one. */
    static boolean includes(@Nullable ClassLoader loader, String name) {
        if (loader == null || isPlatform(loader)) {
            return JDK.contains(name) || isParking(name) || startsWithOne(name, JDK_PREFIXES);
        }
        return !loader.getClass().getName().equals(OURS)
                && !name.contains(LAMBDA)
                && !startsWithOne(name, GENERATED);
    }

    /** Whether it is one of {@link #PARKING}, and gets the hooks for that. */
    static boolean isParking(String name) {
        for (Class<?> type : PARKING) {
            if (name.equals(type.getName().replace('.', '/'))) {
                return true;
            }
        }
        return false;
    }

    /**
     * What is changed with a class: all that is nested in the same one, which mostly shares its
     * locks. In the JDK a class is changed alone, because so much calls it.
     */
    static String family(@Nullable ClassLoader loader, String name) {
        int nested = name.indexOf('$', name.lastIndexOf('/') + 2);
        boolean alone = nested < 0 || loader == null || isPlatform(loader);
        return alone ? name : name.substring(0, nested);
    }

    private static boolean isPlatform(ClassLoader loader) {
        return ClassLoader.getPlatformClassLoader().equals(loader);
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
