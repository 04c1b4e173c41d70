package dev.heatline.agent.calls;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ConstantDynamic;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * What a class declares and what its code may call, as its class file tells it. Names are internal.
 *
 * @param superName null for java.lang.Object
 */
record ClassShape(
        String name,
        @Nullable String superName,
        List<String> interfaces,
        int access,
        List<Method> methods) {

    /** A method by what overriding goes by. */
    record Signature(String name, String descriptor) {
        static final Signature STATIC_INITIALISER = new Signature("<clinit>", "()V");
    }

    /** A declared method and what it may call. */
    record Method(Signature signature, int access, Set<Call> calls) {

        /** Whether there is code to be changed. */
        boolean hasCode() {
            return (access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE)) == 0;
        }

        /** Whether a compiler made it, so that calls by another signature arrive. */
        boolean isBridge() {
            return (access & Opcodes.ACC_BRIDGE) != 0;
        }

        /** Whether a call of an overridden method may lead here. */
        boolean isVirtual() {
            return (access & (Opcodes.ACC_STATIC | Opcodes.ACC_PRIVATE)) == 0
                    && !signature.name().startsWith("<");
        }
    }

    /**
     * A call as it is written.
     *
     * @param owner the class that is named, which need not declare the method
     * @param exact whether no overriding method can be meant
     */
    record Call(String owner, Signature signature, boolean exact) {
        /** Objects of these are what they are, and call nothing of anybody else's. */
        private static final Set<String> VALUES =
                Set.of(
                        "java/lang/String",
                        "java/lang/StringBuilder",
                        "java/lang/Math",
                        "java/lang/Boolean",
                        "java/lang/Byte",
                        "java/lang/Character",
                        "java/lang/Short",
                        "java/lang/Integer",
                        "java/lang/Long",
                        "java/lang/Float",
                        "java/lang/Double");

        /**
         * Whether the method may get hold of an object whose methods it calls: it has one, or is
         * given one.
         */
        boolean mayCallBack() {
            boolean given = !exact && !VALUES.contains(owner);
            for (Type type : Type.getArgumentTypes(signature.descriptor())) {
                Type element = type.getSort() == Type.ARRAY ? type.getElementType() : type;
                given |=
                        element.getSort() == Type.OBJECT
                                && !VALUES.contains(element.getInternalName());
            }
            return given;
        }
    }

    static ClassShape of(byte[] bytes) {
        Scan scan = new Scan();
        new ClassReader(bytes).accept(scan, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
        return new ClassShape(
                scan.name, scan.superName, scan.interfaces, scan.access, scan.methods);
    }

    @Nullable Method method(Signature signature) {
        for (Method method : methods) {
            if (method.signature().equals(signature)) {
                return method;
            }
        }
        return null;
    }

    private static final class Scan extends ClassVisitor {
        private String name = "";
        private @Nullable String superName;
        private List<String> interfaces = List.of();
        private int access;
        private final List<Method> methods = new ArrayList<>();

        private Scan() {
            super(Opcodes.ASM9);
        }

        @Override
        public void visit(
                int version,
                int access,
                String name,
                @Nullable String signature,
                @Nullable String superName,
                String @Nullable [] interfaces) {
            this.name = name;
            this.access = access;
            this.superName = superName;
            this.interfaces = interfaces == null ? List.of() : List.of(interfaces);
        }

        @Override
        public MethodVisitor visitMethod(
                int access,
                String name,
                String descriptor,
                @Nullable String signature,
                String @Nullable [] exceptions) {
            Set<Call> calls = new LinkedHashSet<>();
            methods.add(new Method(new Signature(name, descriptor), access, calls));
            return new Calls(calls);
        }
    }

    /** The calls of one method, those that it makes others make included. */
    private static final class Calls extends MethodVisitor {
        private static final String LAMBDAS = "java/lang/invoke/LambdaMetafactory";

        private final Set<Call> calls;

        private Calls(Set<Call> calls) {
            super(Opcodes.ASM9);
            this.calls = calls;
        }

        @Override
        public void visitMethodInsn(
                int opcode, String owner, String name, String descriptor, boolean isInterface) {
            boolean exact = opcode == Opcodes.INVOKESTATIC || opcode == Opcodes.INVOKESPECIAL;
            calls.add(new Call(owner, new Signature(name, descriptor), exact));
            if (opcode == Opcodes.INVOKESTATIC) {
                initialises(owner);
            }
        }

        @Override
        public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
            if (opcode == Opcodes.GETSTATIC || opcode == Opcodes.PUTSTATIC) {
                initialises(owner);
            }
        }

        @Override
        public void visitTypeInsn(int opcode, String type) {
            if (opcode == Opcodes.NEW) {
                initialises(type);
            }
        }

        /** Lambdas and method references are called by whoever gets them. */
        @Override
        public void visitInvokeDynamicInsn(
                String name, String descriptor, Handle bootstrap, Object... arguments) {
            for (Object argument : arguments) {
                constant(argument);
            }
            if (!bootstrap.getOwner().equals(LAMBDAS)) {
                // Such as the pieces of a text, which are asked for theirs.
                calls.add(new Call(bootstrap.getOwner(), new Signature(name, descriptor), true));
            }
        }

        @Override
        public void visitLdcInsn(Object value) {
            constant(value);
        }

        private void constant(Object value) {
            if (value instanceof Handle handle) {
                int tag = handle.getTag();
                if (tag >= Opcodes.H_INVOKEVIRTUAL) {
                    boolean exact =
                            tag != Opcodes.H_INVOKEVIRTUAL && tag != Opcodes.H_INVOKEINTERFACE;
                    Signature called = new Signature(handle.getName(), handle.getDesc());
                    calls.add(new Call(handle.getOwner(), called, exact));
                    initialises(handle.getOwner());
                }
            } else if (value instanceof ConstantDynamic dynamic) {
                for (int i = 0; i < dynamic.getBootstrapMethodArgumentCount(); i++) {
                    constant(dynamic.getBootstrapMethodArgument(i));
                }
            }
        }

        private void initialises(String type) {
            calls.add(new Call(type, Signature.STATIC_INITIALISER, true));
        }
    }
}
