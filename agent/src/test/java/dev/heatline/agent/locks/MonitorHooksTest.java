package dev.heatline.agent.locks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;

/**
 * Hooks in classes as the JVM hands out its own: without frames. Nobody verifies those in the JVM,
 * so this does, with the verifier of classes that never had any.
 */
class MonitorHooksTest {

    /** Monitors in all the shapes that javac makes. */
    public static final class Shapes implements IntUnaryOperator {
        private final Object lock = new Object();

        /** For the loader of the test. */
        public Shapes() {}

        private int left;

        /** What follows the entry is where the loop comes back to. */
        private int loop(int times) {
            left = times;
            synchronized (lock) {
                while (left > 0) {
                    left--;
                }
            }
            return left;
        }

        private int nested(int value) {
            synchronized (lock) {
                synchronized (this) {
                    return value + 1;
                }
            }
        }

        private synchronized int method(int value) {
            if (value < 0) {
                throw new IllegalArgumentException();
            }
            return value;
        }

        private int choice(int value) {
            synchronized (lock) {
                return switch (value) {
                    case 1 -> 10;
                    case 2 -> 20;
                    default -> 0;
                };
            }
        }

        private synchronized int again(int value) {
            int sum = 0;
            do {
                sum += value;
            } while (sum < 10);
            return sum;
        }

        @Override
        public int applyAsInt(int value) {
            int failed = 0;
            try {
                method(-1);
            } catch (IllegalArgumentException e) {
                failed = 100;
            }
            return loop(value) + nested(value) + method(value) + choice(value) + again(5) + failed;
        }
    }

    /** Defines one class whose bytes it is given. */
    private static final class Loader extends ClassLoader {
        Class<?> define(byte[] bytes) {
            return defineClass(Shapes.class.getName(), bytes, 0, bytes.length);
        }
    }

    private static byte[] withoutFrames() throws IOException {
        String file = Shapes.class.getName().replace('.', '/') + ".class";
        try (InputStream in = MonitorHooksTest.class.getClassLoader().getResourceAsStream(file)) {
            ClassWriter writer = new ClassWriter(0);
            new ClassReader(Objects.requireNonNull(in).readAllBytes())
                    .accept(
                            new ClassVisitor(Opcodes.ASM9, writer) {
                                @Override
                                public void visit(
                                        int version,
                                        int access,
                                        String name,
                                        String signature,
                                        String superName,
                                        String[] interfaces) {
                                    super.visit(
                                            Opcodes.V1_5,
                                            access,
                                            name,
                                            signature,
                                            superName,
                                            interfaces);
                                }

                                @Override
                                public void visitNestHost(String host) {
                                    // Unknown to that version.
                                }
                            },
                            ClassReader.SKIP_FRAMES);
            return writer.toByteArray();
        }
    }

    @Test
    void hooksLeaveClassesWithoutFramesValid() throws Exception {
        byte[] hooked = Objects.requireNonNull(MonitorHooks.insert(withoutFrames(), () -> {}));

        Object shapes = new Loader().define(hooked).getDeclaredConstructor().newInstance();

        assertThat(((IntUnaryOperator) shapes).applyAsInt(2))
                .isEqualTo(new Shapes().applyAsInt(2))
                .isEqualTo(3 + 2 + 20 + 10 + 100);
    }
}
