package dev.heatline.agent.locks;

import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.AbstractQueuedLongSynchronizer;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Which classes get hooks: all of the application's, and those of the JDK whose monitors
 * applications share. More of the JDK would cost seconds when tracing begins.
 *
 * <p>A class that is changed takes the compiled code with it of everything that calls it, and that
 * of classes which everything calls is most of a program's. These are changed when somebody is
 * first blocked in one, which in most programs is never.
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
                    "java/io/PipedWriter");

    /** Families of classes of the JDK. */
    private static final List<String> JDK_PREFIXES =
            List.of("java/util/logging/", "sun/nio/ch/", "sun/net/httpserver/");

    /** Without calls of {@code wait} and {@code notify}, of which every one has to be seen. */
    private static final Set<String> JDK_WHEN_MET =
            Set.of(
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

    private static final String SYNCHRONIZED_COLLECTIONS = "java/util/Collections$Synchronized";

    /** Generated while the application runs, without monitors. */
    private static final List<String> GENERATED =
            List.of("jdk/internal/reflect/", "jdk/proxy", "com/sun/proxy/");

    private static final String LAMBDA = "$$Lambda";
    private static final String OURS = "dev.heatline.agent.Agent";

    private Choice() {}

    /** Whether a class is to be changed, if it has a monitor; its name is the internal one. */
    static boolean includes(@Nullable ClassLoader loader, String name) {
        if (loader == null || ClassLoader.getPlatformClassLoader().equals(loader)) {
            return JDK.contains(name)
                    || isParking(name)
                    || startsWithOne(name, JDK_PREFIXES)
                    || isOnlyWhenMet(loader, name);
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

    /** Whether that is to be only when somebody was blocked in it. */
    static boolean isOnlyWhenMet(@Nullable ClassLoader loader, String name) {
        return loader == null
                && (JDK_WHEN_MET.contains(name) || name.startsWith(SYNCHRONIZED_COLLECTIONS));
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
