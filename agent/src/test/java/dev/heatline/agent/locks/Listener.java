package dev.heatline.agent.locks;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import org.jspecify.annotations.Nullable;

/** An agent of the tests' own: writes down the code that a class has at the moment. */
public final class Listener {
    private Listener() {}

    /** Takes a file for the answer and the name of a class. */
    public static void agentmain(String options, Instrumentation instrumentation) throws Exception {
        int comma = options.indexOf(',');
        Class<?> type = Class.forName(options.substring(comma + 1));
        byte[][] seen = new byte[1][0];
        ClassFileTransformer transformer =
                new ClassFileTransformer() {
                    @Override
                    public byte @Nullable [] transform(
                            ClassLoader loader,
                            String name,
                            Class<?> redefined,
                            ProtectionDomain domain,
                            byte[] bytes) {
                        if (type.equals(redefined)) {
                            seen[0] = bytes;
                        }
                        return null;
                    }
                };
        instrumentation.addTransformer(transformer, true);
        instrumentation.retransformClasses(type);
        instrumentation.removeTransformer(transformer);
        Files.write(Path.of(options.substring(0, comma)), seen[0]);
    }
}
