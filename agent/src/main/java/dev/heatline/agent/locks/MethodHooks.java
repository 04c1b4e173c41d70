package dev.heatline.agent.locks;

import dev.heatline.agent.boot.LockHooks;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.LookupSwitchInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TableSwitchInsnNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.VarInsnNode;

/** Inserts hooks into one method. */
final class MethodHooks {
    private static final String HOOKS = Type.getInternalName(LockHooks.class);
    private static final String EXIT = "exit";
    private static final String EXIT_DESCRIPTOR = "(Ljava/lang/Object;I)V";
    private static final String THROWABLE = "java/lang/Throwable";

    /** What hooks need on the stack above what is there: an exception, the lock and the site. */
    private static final int STACK = 3;

    /** Places are told apart by numbers, over all classes. */
    private static final AtomicInteger SITES = new AtomicInteger();

    private final MethodNode method;
    private final String className;
    private final int version;
    private boolean changed;
    private boolean complete = true;

    MethodHooks(MethodNode method, String className, int version) {
        this.method = method;
        this.className = className;
        this.version = version;
    }

    /** Returns whether there was anything to do. */
    boolean insert() {
        List<AbstractInsnNode> exits = new ArrayList<>();
        List<AbstractInsnNode> entries = new ArrayList<>();
        for (AbstractInsnNode node : method.instructions) {
            if (node.getOpcode() == Opcodes.MONITOREXIT) {
                exits.add(node);
            } else if (node.getOpcode() == Opcodes.MONITORENTER) {
                entries.add(node);
            } else if (node instanceof MethodInsnNode call) {
                if (MonitorHooks.isWait(call.getOpcode(), call.name, call.desc)) {
                    replace(call);
                } else if (MonitorHooks.isNotify(call.getOpcode(), call.name, call.desc)) {
                    method.instructions.insertBefore(call, notifyHook(call));
                }
            }
        }
        entries.forEach(this::hookEntry);
        if (!exits.isEmpty()) {
            exits.removeAll(exitsOfHandlers());
            complete = !exits.removeIf(exit -> !isGuarded(exit));
            for (AbstractInsnNode exit : exits) {
                method.instructions.insertBefore(exit, hook(new InsnNode(Opcodes.DUP)));
            }
        }
        if (MonitorHooks.isSynchronized(method.access)) {
            if (selfIsKnown()) {
                hookReturns();
            } else {
                complete = false;
            }
        }
        method.maxStack += changed ? STACK : 0;
        return changed;
    }

    /** Whether all places where it leaves monitors have hooks. */
    boolean isComplete() {
        return complete;
    }

    /**
     * After an entry, before the next instruction: there, something thrown leaves the monitor
     * again. Not where something jumps to, because then the lock is not on the stack. Frames would
     * tell, but the JVM's own classes come without theirs, and nobody verifies those.
     */
    private void hookEntry(AbstractInsnNode entry) {
        Set<LabelNode> targets = targets();
        AbstractInsnNode next = entry.getNext();
        while (next != null && next.getOpcode() < 0) {
            if (next instanceof LabelNode label && targets.contains(label)) {
                return;
            }
            next = next.getNext();
        }
        if (next != null && isGuarded(next)) {
            method.instructions.insertBefore(entry, new InsnNode(Opcodes.DUP));
            method.instructions.insertBefore(next, enterHook());
            changed = true;
        }
    }

    /** Where code goes on that does not come from the instruction before. */
    private Set<LabelNode> targets() {
        Set<LabelNode> targets = new HashSet<>();
        for (AbstractInsnNode node : method.instructions) {
            if (node instanceof JumpInsnNode jump) {
                targets.add(jump.label);
            } else if (node instanceof TableSwitchInsnNode choice) {
                targets.addAll(choice.labels);
                targets.add(choice.dflt);
            } else if (node instanceof LookupSwitchInsnNode choice) {
                targets.addAll(choice.labels);
                targets.add(choice.dflt);
            }
        }
        for (TryCatchBlockNode block : method.tryCatchBlocks) {
            targets.add(block.handler);
        }
        return targets;
    }

    private static MethodInsnNode enterHook() {
        return new MethodInsnNode(
                Opcodes.INVOKESTATIC, HOOKS, "enter", "(Ljava/lang/Object;)V", false);
    }

    private void replace(MethodInsnNode call) {
        String descriptor = "(Ljava/lang/Object;" + call.desc.substring(1);
        method.instructions.set(
                call, new MethodInsnNode(Opcodes.INVOKESTATIC, HOOKS, "await", descriptor, false));
        changed = true;
    }

    private InsnList notifyHook(MethodInsnNode call) {
        InsnList list = new InsnList();
        list.add(new InsnNode(Opcodes.DUP));
        list.add(new InsnNode(call.name.equals("notifyAll") ? Opcodes.ICONST_1 : Opcodes.ICONST_0));
        list.add(
                new MethodInsnNode(
                        Opcodes.INVOKESTATIC, HOOKS, "notifying", "(Ljava/lang/Object;Z)V", false));
        changed = true;
        return list;
    }

    private InsnList hook(AbstractInsnNode lock) {
        InsnList list = new InsnList();
        list.add(lock);
        list.add(new LdcInsnNode(SITES.incrementAndGet()));
        list.add(new MethodInsnNode(Opcodes.INVOKESTATIC, HOOKS, EXIT, EXIT_DESCRIPTOR, false));
        changed = true;
        return list;
    }

    /**
     * Handlers that leave a monitor are guarded by themselves, so that nothing thrown in them keeps
     * the monitor locked. A hook in there that finds the stack exhausted would be called again and
     * again for ever. Therefore it gets a piece of code of its own before the handler, which the
     * handler guards. Some compilers store the exception first, others leave it on the stack.
     * Returns the exits that are done with.
     */
    private List<AbstractInsnNode> exitsOfHandlers() {
        List<AbstractInsnNode> exits = new ArrayList<>();
        for (TryCatchBlockNode block : List.copyOf(method.tryCatchBlocks)) {
            if (block.type == null && block.start.equals(block.handler)) {
                AbstractInsnNode store = nextCode(block.handler, Opcodes.ASTORE);
                AbstractInsnNode load =
                        nextCode(store == null ? block.handler : store, Opcodes.ALOAD);
                AbstractInsnNode exit = nextCode(load, Opcodes.MONITOREXIT);
                if (load instanceof VarInsnNode variable && exit != null) {
                    hookHandler(block, variable.var);
                    exits.add(exit);
                }
            }
        }
        return exits;
    }

    /** The next instruction if it is that one, else null. */
    private static @Nullable AbstractInsnNode nextCode(
            @Nullable AbstractInsnNode node, int opcode) {
        AbstractInsnNode next = node == null ? null : node.getNext();
        while (next != null && next.getOpcode() < 0) {
            next = next.getNext();
        }
        return next != null && next.getOpcode() == opcode ? next : null;
    }

    private void hookHandler(TryCatchBlockNode self, int lock) {
        LabelNode handler = self.handler;
        LabelNode before = new LabelNode();
        InsnList list = new InsnList();
        list.add(before);
        for (AbstractInsnNode node = handler;
                node != null && node.getOpcode() < 0;
                node = node.getNext()) {
            if (node instanceof FrameNode frame) {
                list.add(
                        new FrameNode(
                                frame.type,
                                size(frame.local),
                                array(frame.local),
                                size(frame.stack),
                                array(frame.stack)));
                // The same once more: variables as in the frame before, and the exception.
                method.instructions.set(
                        frame, new FrameNode(Opcodes.F_SAME1, 0, null, 1, array(frame.stack)));
                break;
            }
        }
        list.add(hook(new VarInsnNode(Opcodes.ALOAD, lock)));
        method.instructions.insertBefore(handler, list);
        for (TryCatchBlockNode block : method.tryCatchBlocks) {
            if (block.handler.equals(handler) && !block.start.equals(handler)) {
                block.handler = before;
            }
            if (block.end.equals(handler)) {
                block.end = before;
            }
        }
        method.tryCatchBlocks.add(
                method.tryCatchBlocks.indexOf(self),
                new TryCatchBlockNode(before, handler, handler, null));
    }

    private static int size(@Nullable List<Object> list) {
        return list == null ? 0 : list.size();
    }

    private static Object @Nullable [] array(@Nullable List<Object> list) {
        return list == null ? null : list.toArray();
    }

    /**
     * Whether anything thrown before the exit still leaves the monitor. Where that is not so, the
     * JVM would not compile a method with a call there. And whether it is not in a handler that
     * guards itself.
     */
    private boolean isGuarded(AbstractInsnNode exit) {
        boolean guarded = false;
        int at = method.instructions.indexOf(exit);
        for (TryCatchBlockNode block : method.tryCatchBlocks) {
            boolean inside =
                    method.instructions.indexOf(block.start) < at
                            && at < method.instructions.indexOf(block.end);
            if (inside && block.type == null) {
                if (block.start.equals(block.handler)) {
                    return false;
                }
                guarded = true;
            }
        }
        return guarded;
    }

    /** Some tools use the variable of {@code this} for something else. */
    private boolean selfIsKnown() {
        if ((method.access & Opcodes.ACC_STATIC) != 0) {
            return version >= Opcodes.V1_5;
        }
        for (AbstractInsnNode node : method.instructions) {
            if (node instanceof VarInsnNode variable
                    && variable.var == 0
                    && variable.getOpcode() >= Opcodes.ISTORE
                    && variable.getOpcode() <= Opcodes.ASTORE) {
                return false;
            }
        }
        return true;
    }

    /** At every return of a synchronized method, and where an exception leaves it. */
    private void hookReturns() {
        InsnList code = method.instructions;
        LabelNode from = new LabelNode();
        LabelNode to = new LabelNode();
        for (AbstractInsnNode node : code.toArray()) {
            if (node.getOpcode() >= Opcodes.IRETURN && node.getOpcode() <= Opcodes.RETURN) {
                code.insertBefore(node, hook(self()));
            }
        }
        InsnList entry = new InsnList();
        entry.add(from);
        entry.add(self());
        entry.add(enterHook());
        code.insert(entry);
        code.add(to);
        if (version >= Opcodes.V1_6) {
            boolean isStatic = (method.access & Opcodes.ACC_STATIC) != 0;
            Object[] variables = isStatic ? new Object[0] : new Object[] {className};
            code.add(
                    new FrameNode(
                            Opcodes.F_FULL,
                            variables.length,
                            variables,
                            1,
                            new Object[] {THROWABLE}));
        }
        code.add(hook(self()));
        code.add(new InsnNode(Opcodes.ATHROW));
        method.tryCatchBlocks.add(new TryCatchBlockNode(from, to, to, null));
    }

    private AbstractInsnNode self() {
        return (method.access & Opcodes.ACC_STATIC) != 0
                ? new LdcInsnNode(Type.getObjectType(className))
                : new VarInsnNode(Opcodes.ALOAD, 0);
    }
}
