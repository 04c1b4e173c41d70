package dev.heatline.agent.locks;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import org.jspecify.annotations.Nullable;

/** Another agent in the same JVM, which says of a class that it is of a certain version of Java. */
public final class Newer {
    private static final int MAJOR_VERSION = 7;

    private Newer() {}

    /** Takes the version in class files and the name of the class. */
    public static void agentmain(String options, Instrumentation instrumentation) {
        int comma = options.indexOf(',');
        byte version = Byte.parseByte(options.substring(0, comma));
        String wanted = options.substring(comma + 1).replace('.', '/');
        instrumentation.addTransformer(
                new ClassFileTransformer() {
                    @Override
                    public byte @Nullable [] transform(
                            ClassLoader loader,
                            String name,
                            Class<?> redefined,
                            ProtectionDomain domain,
                            byte[] bytes) {
                        if (!wanted.equals(name)) {
                            return null;
                        }
                        byte[] changed = bytes.clone();
                        changed[MAJOR_VERSION] = version;
                        return changed;
                    }
                },
                true);
    }
}
