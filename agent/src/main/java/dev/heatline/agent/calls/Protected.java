package dev.heatline.agent.calls;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.BasicInterpreter;
import org.objectweb.asm.tree.analysis.BasicValue;
import org.objectweb.asm.tree.analysis.Frame;
import org.objectweb.asm.tree.analysis.Interpreter;

/**
 * Instructions whose exceptions a handler around a whole method may catch: all, but for those of a
 * constructor that has not called another one yet. It has no object then that a handler may forget,
 * and a JVM refuses one that does. Not every compiler makes one such call, and puts behind it what
 * comes after it.
 *
 * @param first of some that follow each other
 * @param last of them
 */
record Protected(AbstractInsnNode first, AbstractInsnNode last) {

    /** All of a method; none if it is not sound. */
    static List<Protected> of(String className, MethodNode method) {
        Frame<BasicValue>[] frames = null;
        if (method.name.equals("<init>")) {
            try {
                frames = new Following().analyze(className, method);
            } catch (AnalyzerException | IndexOutOfBoundsException e) {
                // That is noticed later.
                return List.of();
            }
        }
        List<Protected> all = new ArrayList<>();
        AbstractInsnNode first = null;
        AbstractInsnNode last = null;
        for (int i = 0; i < method.instructions.size(); i++) {
            AbstractInsnNode each = method.instructions.get(i);
            if (each.getOpcode() < 0) {
                // A label, or what is known of a line or a stack.
                continue;
            }
            if (frames == null || (frames[i] instanceof State state && state.isWhole)) {
                first = first == null ? each : first;
                last = each;
            } else if (first != null && last != null) {
                all.add(new Protected(first, last));
                first = null;
            }
        }
        if (first != null && last != null) {
            all.add(new Protected(first, last));
        }
        return all;
    }

    /** The object that is constructed, before it is one. */
    private static final class Own extends BasicValue {
        private Own(Type type) {
            super(type);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Own;
        }

        @Override
        public int hashCode() {
            return Own.class.hashCode();
        }
    }

    private static final class Following extends Analyzer<BasicValue> {
        private Following() {
            super(new References());
        }

        @Override
        protected Frame<BasicValue> newFrame(int locals, int stack) {
            return new State(locals, stack);
        }

        @Override
        protected Frame<BasicValue> newFrame(Frame<? extends BasicValue> frame) {
            return new State(frame);
        }
    }

    private static final class References extends BasicInterpreter {
        private References() {
            super(Opcodes.ASM9);
        }

        @Override
        public BasicValue newParameterValue(boolean isInstanceMethod, int local, Type type) {
            return local == 0 ? new Own(type) : newValue(type);
        }
    }

    /** Variables and stack, and whether another constructor was called on every way to here. */
    private static final class State extends Frame<BasicValue> {
        private boolean isWhole;

        private State(int locals, int stack) {
            super(locals, stack);
        }

        private State(Frame<? extends BasicValue> frame) {
            super(frame);
        }

        @Override
        public Frame<BasicValue> init(Frame<? extends BasicValue> frame) {
            isWhole = frame instanceof State other && other.isWhole;
            return super.init(frame);
        }

        @Override
        public void execute(AbstractInsnNode each, Interpreter<BasicValue> interpreter)
                throws AnalyzerException {
            isWhole |=
                    each instanceof MethodInsnNode call
                            && call.name.equals("<init>")
                            && getStack(getStackSize() - Type.getArgumentCount(call.desc) - 1)
                                    instanceof Own;
            super.execute(each, interpreter);
        }

        @Override
        public boolean merge(Frame<? extends BasicValue> frame, Interpreter<BasicValue> interpreter)
                throws AnalyzerException {
            boolean changed = super.merge(frame, interpreter);
            if (isWhole && frame instanceof State other && !other.isWhole) {
                isWhole = false;
                changed = true;
            }
            return changed;
        }
    }
}
