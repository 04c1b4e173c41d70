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
        List<Method> methods,
        List<Lambda> lambdas) {

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

        boolean isNative() {
            return (access & Opcodes.ACC_NATIVE) != 0;
        }

        /** Whether no other can be called in its place. */
        boolean isFinal() {
            return (access & (Opcodes.ACC_FINAL | Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC)) != 0;
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
     * @param onObject whether it is made on an object that was there before
     */
    record Call(String owner, Signature signature, boolean exact, boolean onObject) {
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
            boolean given = onObject && !VALUES.contains(owner);
            for (Type type : Type.getArgumentTypes(signature.descriptor())) {
                Type element = type.getSort() == Type.ARRAY ? type.getElementType() : type;
                given |=
                        element.getSort() == Type.OBJECT
                                && !VALUES.contains(element.getInternalName());
            }
            return given;
        }
    }

    /**
     * A lambda or method reference that is made in the class: an object of a class without a name.
     *
     * @param type the interface that it implements
     * @param signature the method that it implements of it
     * @param body what that calls
     */
    record Lambda(String type, Signature signature, Call body) {}

    static ClassShape of(byte[] bytes) {
        Scan scan = new Scan();
        new ClassReader(bytes).accept(scan, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
        return new ClassShape(
                scan.name, scan.superName, scan.interfaces, scan.methods, scan.lambdas);
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
        private final List<Method> methods = new ArrayList<>();
        private final List<Lambda> lambdas = new ArrayList<>();

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
            return new Calls(calls, lambdas, superName);
        }
    }

    /** The calls of one method, those that it makes others make included. */
    private static final class Calls extends MethodVisitor {
        private static final String OBJECT = "java/lang/Object";
        private static final String LAMBDAS = "java/lang/invoke/LambdaMetafactory";

        private final Set<Call> calls;
        private final List<Lambda> lambdas;
        private final @Nullable String superName;

        private Calls(Set<Call> calls, List<Lambda> lambdas, @Nullable String superName) {
            super(Opcodes.ASM9);
            this.calls = calls;
            this.lambdas = lambdas;
            this.superName = superName;
        }

        @Override
        public void visitMethodInsn(
                int opcode, String owner, String name, String descriptor, boolean isInterface) {
            boolean exact = opcode == Opcodes.INVOKESTATIC || opcode == Opcodes.INVOKESPECIAL;
            boolean made = name.equals("<init>") && !owner.equals(superName);
            boolean onObject = opcode != Opcodes.INVOKESTATIC && !made && !owner.equals(OBJECT);
            calls.add(new Call(owner, new Signature(name, descriptor), exact, onObject));
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

        /** Lambdas and method references may be called by whoever makes them. */
        @Override
        public void visitInvokeDynamicInsn(
                String name, String descriptor, Handle bootstrap, Object... arguments) {
            for (Object argument : arguments) {
                constant(argument);
            }
            if (bootstrap.getOwner().equals(LAMBDAS)) {
                lambda(name, descriptor, arguments);
            } else {
                // Such as the pieces of a text, which are asked for theirs.
                Signature asked = new Signature(name, descriptor);
                calls.add(new Call(bootstrap.getOwner(), asked, true, false));
            }
        }

        private void lambda(String name, String descriptor, Object[] arguments) {
            if (arguments.length > 1
                    && arguments[0] instanceof Type erased
                    && arguments[1] instanceof Handle handle) {
                lambdas.add(
                        new Lambda(
                                Type.getReturnType(descriptor).getInternalName(),
                                new Signature(name, erased.getDescriptor()),
                                call(handle)));
            }
        }

        @Override
        public void visitLdcInsn(Object value) {
            constant(value);
        }

        private void constant(Object value) {
            if (value instanceof Handle handle) {
                if (handle.getTag() >= Opcodes.H_INVOKEVIRTUAL) {
                    calls.add(call(handle));
                    initialises(handle.getOwner());
                }
            } else if (value instanceof ConstantDynamic dynamic) {
                for (int i = 0; i < dynamic.getBootstrapMethodArgumentCount(); i++) {
                    constant(dynamic.getBootstrapMethodArgument(i));
                }
            }
        }

        private static Call call(Handle handle) {
            int tag = handle.getTag();
            boolean exact = tag != Opcodes.H_INVOKEVIRTUAL && tag != Opcodes.H_INVOKEINTERFACE;
            Signature called = new Signature(handle.getName(), handle.getDesc());
            return new Call(handle.getOwner(), called, exact, !exact);
        }

        private void initialises(String type) {
            calls.add(new Call(type, Signature.STATIC_INITIALISER, true, false));
        }
    }
}
