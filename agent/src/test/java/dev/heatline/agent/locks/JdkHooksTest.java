package dev.heatline.agent.locks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.agent.JdkClasses;
import dev.heatline.agent.Target;
import dev.heatline.wire.LockTrace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.BasicVerifier;

/**
 * Hooks in every class of the JDK that gets any. A JVM does not verify its own classes, so a wrong
 * one would crash it; here it has to.
 */
class JdkHooksTest {
    static Stream<Path> jvms() throws IOException {
        return Target.jvms().stream();
    }

    /** Those that get hooks if they have a monitor, by their internal names. */
    private static Map<String, byte[]> chosen(Path jvm) throws IOException {
        return JdkClasses.of(jvm, name -> Choice.includes(null, name));
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void theJvmItselfFindsThemAllValid(Path jvm) throws Exception {
        try (Traced target =
                Traced.start(
                        jvm, "-XX:+UnlockDiagnosticVMOptions", "-XX:+BytecodeVerificationLocal")) {
            Map<String, byte[]> chosen = chosen(jvm);
            target.program().play("load " + String.join(",", chosen.keySet()).replace('/', '.'));
            assertThat(target.onWithHooks(chosen.keySet().toArray(String[]::new))).isEqualTo("on");
            TraceFile trace = target.trace();
            long withMonitors = chosen.values().stream().filter(JdkHooksTest::hasHooks).count();
            assertThat(target.off()).isEqualTo("off");
            assertThat(trace.header(LockTrace.CLASSES_SKIPPED)).isZero();
            assertThat(trace.header(LockTrace.CLASSES_CHANGED)).isGreaterThan(withMonitors);
            assertThat(trace.header(LockTrace.CLASSES_NOT_RESTORED)).isZero();
            assertThat(target.program().exit()).isEqualTo(7);
        }
    }

    /** Of a few thousand classes with all kinds of code. */
    @ParameterizedTest
    @MethodSource("jvms")
    void theSearchFindsAllMethodsWithMonitors(Path jvm) throws Exception {
        int found = 0;
        for (byte[] bytes : JdkClasses.of(jvm, name -> name.startsWith("java/util/")).values()) {
            ClassReader reader = new ClassReader(bytes);
            ClassNode type = new ClassNode();
            reader.accept(type, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
            BitSet expected = new BitSet();
            for (int i = 0; i < type.methods.size(); i++) {
                expected.set(i, hasMonitor(type.methods.get(i)));
            }
            assertThat(new MonitorSearch(reader).methods()).as(type.name).isEqualTo(expected);
            found += expected.cardinality();
        }
        assertThat(found).isGreaterThan(200);
    }

    private static boolean hasMonitor(MethodNode method) {
        boolean found = MonitorHooks.isSynchronized(method.access);
        for (AbstractInsnNode node : method.instructions) {
            int opcode = node.getOpcode();
            found |= opcode == Opcodes.MONITORENTER || opcode == Opcodes.MONITOREXIT;
            if (node instanceof MethodInsnNode call) {
                found |= MonitorHooks.isWait(opcode, call.name, call.desc);
                found |= MonitorHooks.isNotify(opcode, call.name, call.desc);
            }
        }
        return found;
    }

    private static boolean hasHooks(byte[] bytes) {
        return MonitorHooks.insert(bytes, () -> {}) != null;
    }

    /** As they come from a JVM that does not verify them: it drops the frames. */
    @ParameterizedTest
    @MethodSource("jvms")
    void theyAreValidWithoutFramesToo(Path jvm) throws Exception {
        int methods = 0;
        for (Map.Entry<String, byte[]> type : chosen(jvm).entrySet()) {
            ClassWriter stripped = new ClassWriter(0);
            new ClassReader(type.getValue()).accept(stripped, ClassReader.SKIP_FRAMES);
            byte[] bytes = stripped.toByteArray();
            byte[] hooked =
                    Choice.isParking(type.getKey())
                            ? ParkHooks.insert(bytes)
                            : MonitorHooks.insert(bytes, () -> {});
            if (hooked != null) {
                methods += verify(hooked);
            }
        }
        assertThat(methods).isGreaterThan(1000);
    }

    /** A JDK that names it differently would lose all signals, and nobody would see. */
    @ParameterizedTest
    @MethodSource("jvms")
    void conditionsTellOfEverySignal(Path jvm) throws Exception {
        Map<String, byte[]> conditions =
                JdkClasses.of(
                        jvm, name -> Choice.isParking(name) && name.endsWith("$ConditionObject"));
        assertThat(conditions).hasSize(2);
        for (byte[] bytes : conditions.values()) {
            ClassNode type = new ClassNode();
            new ClassReader(ParkHooks.insert(bytes)).accept(type, 0);
            List<String> hooked = new ArrayList<>();
            for (MethodNode method : type.methods) {
                for (AbstractInsnNode node : method.instructions) {
                    if (node instanceof MethodInsnNode call && call.name.equals("signalling")) {
                        hooked.add(method.name);
                    }
                }
            }
            assertThat(hooked).containsExactly("doSignal");
        }
    }

    private static int verify(byte[] bytes) {
        ClassNode type = new ClassNode();
        new ClassReader(bytes).accept(type, 0);
        for (MethodNode method : type.methods) {
            try {
                new Analyzer<>(new BasicVerifier()).analyze(type.name, method);
            } catch (AnalyzerException e) {
                throw new AssertionError(type.name + "." + method.name + method.desc, e);
            }
        }
        return type.methods.size();
    }
}
