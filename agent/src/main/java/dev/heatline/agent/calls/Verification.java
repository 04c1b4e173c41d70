package dev.heatline.agent.calls;

import dev.heatline.agent.calls.ClassShape.Signature;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.BasicValue;
import org.objectweb.asm.tree.analysis.BasicVerifier;
import org.objectweb.asm.tree.analysis.Frame;

/**
 * Looks whether changed methods are sound before a JVM gets them. A JVM would refuse a class that
 * is not only when the application needs it, and does not look at its own classes at all.
 *
 * <p>No class is loaded for it, so all references are alike to it: those are the compiler's, and
 * are as they were. What is inserted uses variables behind those that were there, and every stack
 * map has to tell of them.
 */
final class Verification {
    private Verification() {}

    /** Whether these methods of a class are, which had other code before. */
    static boolean isSound(byte[] before, byte[] bytes, Set<Signature> methods) {
        Map<Signature, Integer> variables = variables(before);
        try {
            ClassNode type = new ClassNode();
            new ClassReader(bytes).accept(type, ClassReader.EXPAND_FRAMES);
            for (MethodNode method : type.methods) {
                Signature signature = new Signature(method.name, method.desc);
                if (methods.contains(signature)
                        && !isSound(type.name, method, variables.getOrDefault(signature, 0))) {
                    return false;
                }
            }
            return true;
        } catch (AnalyzerException | IndexOutOfBoundsException e) {
            // A stack or variables that have no room.
            return false;
        }
    }

    /** How many each method has. */
    private static Map<Signature, Integer> variables(byte[] bytes) {
        Map<Signature, Integer> variables = new HashMap<>();
        ClassVisitor visitor =
                new ClassVisitor(Opcodes.ASM9) {
                    @Override
                    public MethodVisitor visitMethod(
                            int access,
                            String name,
                            String descriptor,
                            @Nullable String signature,
                            String @Nullable [] exceptions) {
                        return new MethodVisitor(Opcodes.ASM9) {
                            @Override
                            public void visitMaxs(int stack, int locals) {
                                variables.put(new Signature(name, descriptor), locals);
                            }
                        };
                    }
                };
        new ClassReader(bytes).accept(visitor, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
        return variables;
    }

    private static boolean isSound(String owner, MethodNode method, int variables)
            throws AnalyzerException {
        Frame<BasicValue>[] frames = new Analyzer<>(new BasicVerifier()).analyze(owner, method);
        for (int i = 0; i < frames.length; i++) {
            AbstractInsnNode each = method.instructions.get(i);
            // What is never reached has none.
            if (each instanceof FrameNode told
                    && frames[i] != null
                    && !tellsTheTruth(told, frames[i], variables)) {
                return false;
            }
        }
        return true;
    }

    private static boolean tellsTheTruth(FrameNode told, Frame<BasicValue> found, int variables) {
        if (told.stack.size() != found.getStackSize()) {
            return false;
        }
        for (int i = 0; i < told.stack.size(); i++) {
            if (!isA(told.stack.get(i), found.getStack(i))) {
                return false;
            }
        }
        return haveTypes(told.local, found, variables);
    }

    private static boolean haveTypes(List<Object> told, Frame<BasicValue> found, int variables) {
        int variable = 0;
        for (Object type : told) {
            if (variable >= found.getLocals() || !isA(type, found.getLocal(variable))) {
                return false;
            }
            if (variable >= variables && type.equals(Opcodes.TOP)) {
                return false;
            }
            variable += type.equals(Opcodes.LONG) || type.equals(Opcodes.DOUBLE) ? 2 : 1;
        }
        return variable == found.getLocals();
    }

    private static boolean isA(Object type, BasicValue value) {
        if (type.equals(Opcodes.TOP)) {
            return true;
        }
        if (type.equals(Opcodes.INTEGER)) {
            return value.equals(BasicValue.INT_VALUE);
        }
        if (type.equals(Opcodes.FLOAT)) {
            return value.equals(BasicValue.FLOAT_VALUE);
        }
        if (type.equals(Opcodes.LONG)) {
            return value.equals(BasicValue.LONG_VALUE);
        }
        if (type.equals(Opcodes.DOUBLE)) {
            return value.equals(BasicValue.DOUBLE_VALUE);
        }
        return value.isReference();
    }
}
