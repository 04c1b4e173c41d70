package dev.heatline.agent.locks;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import org.jspecify.annotations.Nullable;

/** Another agent in the same JVM, which spoils a class whenever that is changed. */
public final class Spoiler {
    private Spoiler() {}

    /** Takes the name of the class. */
    public static void agentmain(String name, Instrumentation instrumentation) {
        instrumentation.addTransformer(
                new ClassFileTransformer() {
                    @Override
                    public byte @Nullable [] transform(
                            ClassLoader loader,
                            String internalName,
                            Class<?> redefined,
                            ProtectionDomain domain,
                            byte[] bytes) {
                        return name.replace('.', '/').equals(internalName) ? new byte[1] : null;
                    }
                },
                true);
    }
}
