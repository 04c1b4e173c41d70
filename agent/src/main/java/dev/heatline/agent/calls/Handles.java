package dev.heatline.agent.calls;

import dev.heatline.agent.LoadedClasses;
import dev.heatline.agent.calls.ClassShape.Call;
import dev.heatline.agent.calls.ClassShape.Signature;
import java.lang.instrument.Instrumentation;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tells which methods a method handle calls. Handles hide that from everybody but who made them;
 * the JDK's own classes know it, by methods that are the same in 17 to 25. In a JDK in which they
 * are not, nothing is told.
 */
final class Handles {
    private static final String PACKAGE = "java.lang.invoke";

    private final Class<?> bound;
    private final Class<?> delegating;
    private final Method member;
    private final Method arguments;
    private final Method argument;
    private final Method target;
    private final Method declaring;
    private final Method name;
    private final Method type;
    private final Method isInvocable;
    private final Method isConstructor;
    private final Method isStatic;

    private Handles() throws ReflectiveOperationException {
        bound = Class.forName(PACKAGE + ".BoundMethodHandle");
        delegating = Class.forName(PACKAGE + ".DelegatingMethodHandle");
        Class<?> memberName = Class.forName(PACKAGE + ".MemberName");
        member = method(MethodHandle.class, "internalMemberName");
        arguments = method(bound, "fieldCount");
        argument = method(bound, "arg", int.class);
        target = method(delegating, "getTarget");
        declaring = method(memberName, "getDeclaringClass");
        name = method(memberName, "getName");
        type = method(memberName, "getMethodType");
        isInvocable = method(memberName, "isInvocable");
        isConstructor = method(memberName, "isConstructor");
        isStatic = method(memberName, "isStatic");
    }

    /** Null if this JDK does not tell. */
    static @Nullable Handles of(Instrumentation instrumentation) {
        Module ours = Handles.class.getModule();
        instrumentation.redefineModule(
                Object.class.getModule(),
                Set.of(),
                Map.of(),
                Map.of(PACKAGE, Set.of(ours)),
                Set.of(),
                Map.of());
        try {
            return new Handles();
        } catch (ReflectiveOperationException | RuntimeException e) {
            return null;
        }
    }

    private static Method method(Class<?> owner, String name, Class<?>... arguments)
            throws NoSuchMethodException {
        Method method = owner.getDeclaredMethod(name, arguments);
        method.setAccessible(true);
        return method;
    }

    /** What it calls: mostly one method, which may be adapted in several steps. */
    List<Call> calls(MethodHandle handle) {
        List<Call> calls = new ArrayList<>();
        try {
            add(handle, calls, Collections.newSetFromMap(new IdentityHashMap<>()));
        } catch (ReflectiveOperationException e) {
            // What is known so far is called anyway.
            return calls;
        }
        return calls;
    }

    private void add(MethodHandle handle, List<Call> calls, Set<MethodHandle> seen)
            throws ReflectiveOperationException {
        if (!seen.add(handle)) {
            return;
        }
        Object known = member.invoke(handle);
        if (known != null) {
            if ((boolean) isInvocable.invoke(known)) {
                calls.add(call(known));
            }
        } else if (delegating.isInstance(handle)) {
            add((MethodHandle) target.invoke(handle), calls, seen);
        } else if (bound.isInstance(handle)) {
            int count = (int) arguments.invoke(handle);
            for (int i = 0; i < count; i++) {
                if (argument.invoke(handle, i) instanceof MethodHandle inner) {
                    add(inner, calls, seen);
                }
            }
        }
    }

    private Call call(Object known) throws ReflectiveOperationException {
        boolean made = (boolean) isConstructor.invoke(known);
        MethodType types = (MethodType) type.invoke(known);
        return new Call(
                LoadedClasses.internalName((Class<?>) declaring.invoke(known)),
                new Signature((String) name.invoke(known), types.toMethodDescriptorString()),
                made || (boolean) isStatic.invoke(known),
                !made && !(boolean) isStatic.invoke(known));
    }
}
