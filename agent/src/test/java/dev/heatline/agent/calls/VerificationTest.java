package dev.heatline.agent.calls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.agent.JdkClasses;
import dev.heatline.agent.Target;
import dev.heatline.agent.calls.CallInsertion.Chosen;
import dev.heatline.agent.calls.CallInsertion.Kind;
import dev.heatline.agent.calls.CallInsertion.Numbers;
import dev.heatline.agent.calls.ClassShape.Signature;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.MethodNode;

/** What is inserted is sound, and what is not is noticed. */
class VerificationTest {
    private static final Signature METHOD = new Signature("b", "()I");

    /** Everything is of interest. */
    private static final Numbers NUMBERS = numbers(false);

    private static final Numbers TRACKED = numbers(true);

    private static Numbers numbers(boolean tracked) {
        return new Numbers() {
            @Override
            public boolean tracked() {
                return tracked;
            }

            @Override
            public int made(String type, int line) {
                return Integer.MIN_VALUE;
            }

            @Override
            public int reference() {
                return 4;
            }

            @Override
            public int nativeMethod(String owner, Signature signature, boolean exact) {
                return exact ? 100_000 : NONE;
            }
        };
    }

    static Stream<Path> jvms() throws IOException {
        return Target.jvms().stream();
    }

    private static Map<Signature, Chosen> all(byte[] bytes, Kind kind) {
        Map<Signature, Chosen> methods = new HashMap<>();
        for (MethodNode method : read(bytes).methods) {
            methods.put(new Signature(method.name, method.desc), new Chosen(1, kind));
        }
        return methods;
    }

    private static ClassNode read(byte[] bytes) {
        ClassNode type = new ClassNode();
        new ClassReader(bytes).accept(type, ClassReader.EXPAND_FRAMES);
        return type;
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void whatIsInsertedIsSound(Path jvm) throws Exception {
        Map<String, byte[]> classes = JdkClasses.of(jvm, name -> name.startsWith("java/util/"));
        assertThat(classes).hasSizeGreaterThan(1000);
        classes.forEach(
                (name, bytes) -> {
                    for (Kind kind : Kind.values()) {
                        Map<Signature, Chosen> methods = all(bytes, kind);
                        for (Numbers numbers : List.of(NUMBERS, TRACKED)) {
                            byte[] inserted = CallInsertion.insert(bytes, methods, numbers);
                            assertThat(Verification.isSound(bytes, inserted, methods.keySet()))
                                    .as("%s as %s", name, kind)
                                    .isTrue();
                        }
                    }
                });
    }

    /** With hooks in a method, which is spoilt after that. */
    private static boolean isSound(Consumer<MethodNode> spoiling) throws IOException {
        String file = "/" + CallScenes.Plain.class.getName().replace('.', '/') + ".class";
        try (InputStream in = VerificationTest.class.getResourceAsStream(file)) {
            byte[] bytes = Objects.requireNonNull(in).readAllBytes();
            Map<Signature, Chosen> methods = all(bytes, Kind.CALL);
            ClassNode type = read(CallInsertion.insert(bytes, methods, NUMBERS));
            for (MethodNode method : type.methods) {
                if (new Signature(method.name, method.desc).equals(METHOD)) {
                    spoiling.accept(method);
                }
            }
            ClassWriter writer = new ClassWriter(0);
            type.accept(writer);
            return Verification.isSound(bytes, writer.toByteArray(), methods.keySet());
        }
    }

    private static FrameNode loop(MethodNode method) {
        return Stream.of(method.instructions.toArray())
                .filter(FrameNode.class::isInstance)
                .map(FrameNode.class::cast)
                .findFirst()
                .orElseThrow();
    }

    private static void removeLast(FrameNode frame) {
        frame.local.remove(frame.local.size() - 1);
    }

    @Test
    void whatIsNotSoundIsNoticed() throws Exception {
        assertThat(isSound(method -> {})).isTrue();
        assertThat(isSound(method -> method.maxStack = 0)).isFalse();
        assertThat(isSound(method -> method.maxLocals--)).isFalse();
        assertThat(isSound(method -> method.instructions.insert(new InsnNode(Opcodes.POP))))
                .isFalse();
        assertThat(isSound(method -> method.instructions.insert(new InsnNode(Opcodes.ARETURN))))
                .isFalse();
        // The variable behind all others is not told of, or as something else.
        assertThat(isSound(method -> removeLast(loop(method)))).isFalse();
        assertThat(
                        isSound(
                                method ->
                                        loop(method)
                                                .local
                                                .set(loop(method).local.size() - 1, Opcodes.FLOAT)))
                .isFalse();
        assertThat(isSound(method -> loop(method).stack.add(Opcodes.INTEGER))).isFalse();
    }
}
