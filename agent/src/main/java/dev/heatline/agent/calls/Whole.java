package dev.heatline.agent.calls;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.BasicInterpreter;
import org.objectweb.asm.tree.analysis.BasicValue;
import org.objectweb.asm.tree.analysis.Frame;
import org.objectweb.asm.tree.analysis.Interpreter;

/**
 * Where the objects that a method makes are whole and at hand. No code but the constructor's may
 * touch an object before its constructor has returned, and that takes the reference from the stack.
 * But whoever needs the object has copied the reference before: after the call, the copy is on top
 * of the stack, and stands for an object that is whole. A hook there that copies it again leaves
 * stack and variables as they were, so no stack map needs to be told of it. An object of which no
 * copy is on top is left out: mostly nobody needs it.
 */
final class Whole {
    private Whole() {}

    /** By the calls of constructors behind which an object is on top: where it was made. */
    static Map<AbstractInsnNode, AbstractInsnNode> find(String className, MethodNode method) {
        Frame<BasicValue>[] frames;
        try {
            frames = new Following().analyze(className, method);
        } catch (AnalyzerException | IndexOutOfBoundsException e) {
            // Not sound: it is left as it is for that later.
            return Map.of();
        }
        Map<AbstractInsnNode, AbstractInsnNode> whole = new HashMap<>();
        for (int i = 0; i < frames.length; i++) {
            AbstractInsnNode each = method.instructions.get(i);
            // What is never reached has none.
            if (frames[i] != null
                    && constructed(each, frames[i]) instanceof Fresh fresh
                    && fresh.equals(below(each, frames[i]))) {
                whole.put(each, fresh.made);
            }
        }
        return whole;
    }

    /** Whose constructor an instruction calls; null if it calls none. */
    private static @Nullable BasicValue constructed(
            AbstractInsnNode each, Frame<BasicValue> frame) {
        return each instanceof MethodInsnNode call && call.name.equals("<init>")
                ? frame.getStack(place(call, frame))
                : null;
    }

    /** What is on top of the stack after a call of a constructor; null if it is empty then. */
    private static @Nullable BasicValue below(AbstractInsnNode each, Frame<BasicValue> frame) {
        int place = each instanceof MethodInsnNode call ? place(call, frame) : 0;
        return place == 0 ? null : frame.getStack(place - 1);
    }

    private static int place(MethodInsnNode constructor, Frame<BasicValue> frame) {
        return frame.getStackSize() - Type.getArgumentTypes(constructor.desc).length - 1;
    }

    /** An object whose constructor was not called yet. */
    private static final class Fresh extends BasicValue {
        private final AbstractInsnNode made;

        private Fresh(Type type, AbstractInsnNode made) {
            super(type);
            this.made = made;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Fresh fresh && fresh.made.equals(made);
        }

        @Override
        public int hashCode() {
            return made.hashCode();
        }
    }

    /** As the JVM's verifier does: all copies of a reference become whole together. */
    private static final class Following extends Analyzer<BasicValue> {
        private Following() {
            super(new References());
        }

        @Override
        protected Frame<BasicValue> newFrame(int locals, int stack) {
            return new Values(locals, stack);
        }

        @Override
        protected Frame<BasicValue> newFrame(Frame<? extends BasicValue> frame) {
            return new Values(frame);
        }
    }

    private static final class References extends BasicInterpreter {
        private References() {
            super(Opcodes.ASM9);
        }

        @Override
        public BasicValue newOperation(AbstractInsnNode each) throws AnalyzerException {
            return each.getOpcode() == Opcodes.NEW && each instanceof TypeInsnNode type
                    ? new Fresh(Type.getObjectType(type.desc), each)
                    : super.newOperation(each);
        }
    }

    private static final class Values extends Frame<BasicValue> {
        private Values(int locals, int stack) {
            super(locals, stack);
        }

        private Values(Frame<? extends BasicValue> frame) {
            super(frame);
        }

        @Override
        public void execute(AbstractInsnNode each, Interpreter<BasicValue> interpreter)
                throws AnalyzerException {
            BasicValue whole = constructed(each, this);
            super.execute(each, interpreter);
            if (whole instanceof Fresh) {
                for (int i = 0; i < getLocals(); i++) {
                    if (whole.equals(getLocal(i))) {
                        setLocal(i, BasicValue.REFERENCE_VALUE);
                    }
                }
                for (int i = 0; i < getStackSize(); i++) {
                    if (whole.equals(getStack(i))) {
                        setStack(i, BasicValue.REFERENCE_VALUE);
                    }
                }
            }
        }
    }
}
