package dev.heatline.agent.calls;

import dev.heatline.agent.calls.ClassShape.Call;
import dev.heatline.agent.calls.ClassShape.Lambda;
import dev.heatline.agent.calls.ClassShape.Method;
import dev.heatline.agent.calls.ClassShape.Signature;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Which methods the calls made so far may lead to, by the hierarchy of the classes known so far
 * (002 §6). Rather too many than too few: who calls a method may reach every method that overrides
 * it, and who calls out of the measured classes may be called back by everything that overrides
 * what is declared there.
 */
final class Reached {
    /** A method that is measured. */
    record Target(String className, Signature signature) {}

    private final Hierarchy hierarchy;

    private final Map<String, ClassShape> shapes = new HashMap<>();
    private final Map<Signature, Set<String>> declaring = new HashMap<>();
    private final Map<Signature, Set<Call>> called = new HashMap<>();
    private final Map<Signature, List<Lambda>> lambdas = new HashMap<>();

    /** What those declare that are not measured. */
    private final Map<String, Set<Signature>> declaredElsewhere = new HashMap<>();

    /** Those of which that is not known yet. */
    private final Set<String> unread = new HashSet<>();

    private final Set<Target> reached = new HashSet<>();
    private boolean leavesMeasured;

    Reached(Hierarchy hierarchy) {
        this.hierarchy = hierarchy;
    }

    /** Takes note of what a class extends and implements that is measured, before it is added. */
    void announce(ClassShape shape) {
        hierarchy.add(shape.name(), shape.superName(), shape.interfaces());
        unread.addAll(hierarchy.above(shape.name()));
    }

    /** Above measured classes, those of which it is not known yet what they declare. */
    Set<String> unread() {
        unread.removeIf(name -> shapes.containsKey(name) || declaredElsewhere.containsKey(name));
        return Set.copyOf(unread);
    }

    /**
     * Takes one of them.
     *
     * @param shape null if its file cannot be found
     */
    void addUnmeasured(String name, @Nullable ClassShape shape) {
        Set<Signature> declared = new HashSet<>();
        if (shape != null) {
            for (Method method : shape.methods()) {
                declared.add(method.signature());
            }
            hierarchy.add(name, shape.superName(), shape.interfaces());
            unread.addAll(hierarchy.above(name));
        }
        declaredElsewhere.put(name, declared);
    }

    /** Whether a class was added. */
    boolean knows(String className) {
        return shapes.containsKey(className);
    }

    /** All that were added. */
    Collection<ClassShape> shapes() {
        return shapes.values();
    }

    @Nullable ClassShape shape(String className) {
        return shapes.get(className);
    }

    /** Takes a class that is measured; returns those of its methods that are reached already. */
    Set<Target> add(ClassShape shape) {
        hierarchy.add(shape.name(), shape.superName(), shape.interfaces());
        shapes.put(shape.name(), shape);
        Set<Target> found = new LinkedHashSet<>();
        for (Method method : shape.methods()) {
            if (method.hasCode()) {
                declaring
                        .computeIfAbsent(method.signature(), any -> new LinkedHashSet<>())
                        .add(shape.name());
            }
        }
        addCalled(shape, found);
        // What it inherits may be what is called on it.
        for (String above : hierarchy.above(shape.name())) {
            ClassShape inherited = shapes.get(above);
            if (inherited != null) {
                addCalled(inherited, found);
            }
        }
        for (Lambda lambda : shape.lambdas()) {
            lambdas.computeIfAbsent(lambda.signature(), any -> new ArrayList<>()).add(lambda);
            if (isCalled(lambda)) {
                addCall(lambda.body(), found);
            }
        }
        return found;
    }

    private void addCalled(ClassShape shape, Set<Target> found) {
        if (leavesMeasured) {
            addCalledBack(shape, found);
        }
        for (Method method : shape.methods()) {
            if (method.hasCode() && isCalled(shape, method)) {
                addTo(found, shape.name(), method.signature());
            }
        }
    }

    private boolean isCalled(ClassShape shape, Method method) {
        for (Call call : called.getOrDefault(method.signature(), Set.of())) {
            if (mayLead(call, shape, method)) {
                return true;
            }
        }
        return false;
    }

    /** Whoever has the object may call it, wherever it was made. */
    private boolean isCalled(Lambda lambda) {
        if (leavesMeasured && !shapes.containsKey(lambda.type())) {
            return true;
        }
        for (Call call : called.getOrDefault(lambda.signature(), Set.of())) {
            if (mayBe(lambda, call)) {
                return true;
            }
        }
        return false;
    }

    private boolean mayBe(Lambda lambda, Call call) {
        return hierarchy.isSubtype(lambda.type(), call.owner())
                || hierarchy.isSubtype(call.owner(), lambda.type());
    }

    /** Counts a method as reached, whoever calls it. */
    void addRoot(Target root) {
        reached.add(root);
    }

    /** Nothing was called; the classes stay known. */
    void forgetCalls() {
        called.clear();
        reached.clear();
        leavesMeasured = false;
    }

    /**
     * Takes what a method calls; returns the methods that are reached by that for the first time.
     */
    Set<Target> call(Target caller) {
        ClassShape from = shapes.get(caller.className());
        Method method = from == null ? null : from.method(caller.signature());
        Set<Target> found = new LinkedHashSet<>();
        if (method != null) {
            boolean leaves = false;
            for (Call call : method.calls()) {
                leaves |= !shapes.containsKey(call.owner()) && call.mayCallBack();
                addCall(call, found);
            }
            if (leaves && !leavesMeasured) {
                leavesMeasured = true;
                shapes.values().forEach(shape -> addCalledBack(shape, found));
                for (List<Lambda> same : List.copyOf(lambdas.values())) {
                    addLambdas(same, lambda -> !shapes.containsKey(lambda.type()), found);
                }
            }
        }
        return found;
    }

    /** Takes a call that nobody wrote; returns likewise. */
    Set<Target> call(Call call) {
        Set<Target> found = new LinkedHashSet<>();
        addCall(call, found);
        return found;
    }

    private void addCall(Call call, Set<Target> found) {
        if (called.computeIfAbsent(call.signature(), any -> new HashSet<>()).add(call)) {
            for (String name : declaring.getOrDefault(call.signature(), Set.of())) {
                ClassShape shape = shapes.get(name);
                Method method = shape == null ? null : shape.method(call.signature());
                if (shape != null && method != null && mayLead(call, shape, method)) {
                    addTo(found, name, call.signature());
                }
            }
            addLambdas(
                    lambdas.getOrDefault(call.signature(), List.of()),
                    lambda -> mayBe(lambda, call),
                    found);
        }
    }

    private void addLambdas(List<Lambda> same, Predicate<Lambda> wanted, Set<Target> found) {
        for (Lambda lambda : same) {
            if (wanted.test(lambda)) {
                addCall(lambda.body(), found);
            }
        }
    }

    private boolean mayLead(Call call, ClassShape shape, Method method) {
        if (call.signature().name().equals("<init>")) {
            return call.owner().equals(shape.name());
        }
        if (call.exact() || !method.isVirtual()) {
            // Inherited, if it is not its own.
            return hierarchy.isSubtype(call.owner(), shape.name());
        }
        return hierarchy.mayLead(call.owner(), shape.name());
    }

    /** Adds what overrides something that classes may call which are not measured. */
    private void addCalledBack(ClassShape shape, Set<Target> found) {
        for (String other : hierarchy.around(shape.name())) {
            if (!shapes.containsKey(other)) {
                Set<Signature> declared = declaredElsewhere.getOrDefault(other, Set.of());
                for (Method method : shape.methods()) {
                    if (method.hasCode()
                            && method.isVirtual()
                            && declared.contains(method.signature())) {
                        addTo(found, shape.name(), method.signature());
                    }
                }
            }
        }
    }

    private void addTo(Set<Target> found, String className, Signature signature) {
        Target target = new Target(className, signature);
        if (reached.add(target)) {
            ClassShape shape = shapes.get(className);
            Method method = shape == null ? null : shape.method(signature);
            if (method != null && method.isBridge()) {
                // Nobody wrote it: what it calls counts as called by its caller.
                found.addAll(call(target));
            } else {
                found.add(target);
            }
        }
    }

    /** Everything that those call, and what that calls, and so on. */
    Set<Target> callAll(Collection<Target> callers) {
        Set<Target> found = new LinkedHashSet<>();
        List<Target> todo = new ArrayList<>(callers);
        for (int i = 0; i < todo.size(); i++) {
            Set<Target> next = call(todo.get(i));
            found.addAll(next);
            todo.addAll(next);
        }
        return found;
    }
}
