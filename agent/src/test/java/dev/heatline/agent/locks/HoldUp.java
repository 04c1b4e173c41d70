package dev.heatline.agent.locks;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * Another agent in the same JVM: a nested class that is being defined has to wait until the one it
 * is nested in is changed.
 */
public final class HoldUp {
    private HoldUp() {}

    /** Takes the name of the nested class. */
    public static void agentmain(String wanted, Instrumentation instrumentation) {
        String nested = wanted.replace('.', '/');
        String outer = nested.substring(0, nested.indexOf('$'));
        CountDownLatch changed = new CountDownLatch(1);
        instrumentation.addTransformer(
                new ClassFileTransformer() {
                    @Override
                    public byte @Nullable [] transform(
                            ClassLoader loader,
                            String name,
                            Class<?> redefined,
                            ProtectionDomain domain,
                            byte[] bytes) {
                        if (redefined != null && outer.equals(name)) {
                            changed.countDown();
                        } else if (nested.equals(name) && changed.getCount() > 0) {
                            System.out.println("held up " + wanted);
                            awaitQuietly(changed);
                        }
                        return null;
                    }
                },
                true);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
