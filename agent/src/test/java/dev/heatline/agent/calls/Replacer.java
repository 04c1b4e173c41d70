package dev.heatline.agent.calls;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import org.jspecify.annotations.Nullable;

/** An agent of the tests' own: gives a class of the boot loader other code. */
public final class Replacer {
    private Replacer() {}

    /** Takes the name of the class and a file with its code. */
    public static void agentmain(String options, Instrumentation instrumentation) throws Exception {
        int comma = options.indexOf(',');
        Class<?> replaced = Class.forName(options.substring(0, comma), false, null);
        byte[] code = Files.readAllBytes(Path.of(options.substring(comma + 1)));
        instrumentation.addTransformer(
                new ClassFileTransformer() {
                    @Override
                    public byte @Nullable [] transform(
                            ClassLoader loader,
                            String name,
                            Class<?> redefined,
                            ProtectionDomain domain,
                            byte[] bytes) {
                        return replaced.equals(redefined) ? code : null;
                    }
                },
                true);
        instrumentation.retransformClasses(replaced);
    }
}
