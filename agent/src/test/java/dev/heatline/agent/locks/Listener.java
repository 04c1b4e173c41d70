package dev.heatline.agent.locks;

import java.io.DataOutputStream;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An agent of the tests' own: writes down the code that the classes of a name have. */
public final class Listener {
    private Listener() {}

    /** Takes a file for the answer and the name: each code after its length. */
    public static void agentmain(String options, Instrumentation instrumentation) throws Exception {
        int comma = options.indexOf(',');
        String wanted = options.substring(comma + 1);
        String internalName = wanted.replace('.', '/');
        Class.forName(wanted);
        Set<Class<?>> types = new HashSet<>();
        for (Class<?> type : instrumentation.getAllLoadedClasses()) {
            if (type.getName().equals(wanted)) {
                types.add(type);
            }
        }
        List<byte[]> seen = new ArrayList<>();
        ClassFileTransformer transformer =
                new ClassFileTransformer() {
                    @Override
                    public byte @Nullable [] transform(
                            ClassLoader loader,
                            String name,
                            Class<?> redefined,
                            ProtectionDomain domain,
                            byte[] bytes) {
                        // Of what is loaded meanwhile, a JVM says that it was the one redefined.
                        if (types.contains(redefined) && internalName.equals(name)) {
                            seen.add(bytes);
                        }
                        return null;
                    }
                };
        instrumentation.addTransformer(transformer, true);
        instrumentation.retransformClasses(types.toArray(Class<?>[]::new));
        instrumentation.removeTransformer(transformer);
        Path answer = Path.of(options.substring(0, comma));
        try (DataOutputStream out = new DataOutputStream(Files.newOutputStream(answer))) {
            for (byte[] code : seen) {
                out.writeInt(code.length);
                out.write(code);
            }
        }
    }
}
