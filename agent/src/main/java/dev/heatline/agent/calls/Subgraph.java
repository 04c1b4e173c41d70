package dev.heatline.agent.calls;

import dev.heatline.agent.RefusedException;
import dev.heatline.agent.boot.CallHooks;
import dev.heatline.agent.calls.CallInsertion.Chosen;
import dev.heatline.agent.calls.ClassShape.Call;
import dev.heatline.agent.calls.ClassShape.Signature;
import dev.heatline.agent.calls.Reached.Target;
import dev.heatline.wire.CallRequest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The methods that are measured, with their numbers: the roots, and what has been reached from them
 * so far. It says whose classes are to be changed; who asks does that.
 *
 * <p>Not safe for use by several threads: {@link Measurement} has a lock for it.
 */
final class Subgraph {
    private static int nextId;

    private final CallRequest request;
    private final int firstId = nextId;
    private final Hierarchy hierarchy = new Hierarchy();
    private final Reached reached = new Reached(hierarchy, name -> ClassFiles.shape(null, name));

    /** Those whose class is not loaded yet. */
    private final List<Root> waiting = new ArrayList<>();

    private final Map<Target, Integer> ids = new HashMap<>();

    /** By their numbers, from the first on. */
    private final List<Target> targets = new ArrayList<>();

    private final Map<String, Map<Signature, Chosen>> chosen = new HashMap<>();
    private long leftOut;

    Subgraph(CallRequest request) {
        this.request = request;
    }

    /** The lowest number of its methods. */
    int firstId() {
        return firstId;
    }

    /** Its methods so far, in the order of their numbers. */
    List<Target> methods() {
        return targets;
    }

    /** How many were reached beyond the limit. */
    long leftOut() {
        return leftOut;
    }

    /** How many roots are not loaded yet. */
    int waiting() {
        return waiting.size();
    }

    /** Which methods of a class are measured. */
    Map<Signature, Chosen> methodsOf(String className) {
        return Map.copyOf(chosen.getOrDefault(className, Map.of()));
    }

    /** Whether a class that may be measured was added. */
    boolean knows(String className) {
        return reached.knows(className);
    }

    /** Takes note of what a class extends and implements, whether it is measured or not. */
    void addType(String name, @Nullable String superName, Collection<String> interfaces) {
        hierarchy.add(name, superName, interfaces);
    }

    /** Takes a class that was there before the roots. */
    void addLoaded(ClassShape shape) {
        reached.add(shape);
    }

    /** Takes a class that comes by; returns the classes besides it that are reached by that. */
    Set<String> add(ClassShape shape, boolean isNew) throws RefusedException {
        Set<String> others = classesOf(choose(reached.add(shape)));
        others.remove(shape.name());
        for (Root root : List.copyOf(waiting)) {
            if (root.isMeant(shape.name().replace('/', '.'))) {
                waiting.remove(root);
                addRoot(root, shape);
            }
        }
        if (isNew && shape.method(Signature.STATIC_INITIALISER) != null) {
            // Whoever loads it by its name may be inside of a root.
            choose(new Target(shape.name(), Signature.STATIC_INITIALISER), false);
        }
        return others;
    }

    void await(Root root) {
        waiting.add(root);
    }

    /**
     * Takes the roots; returns the classes of what they reach at once.
     *
     * @param binaryNames of all loaded classes that may be measured
     */
    Set<String> addRoots(List<Root> roots, Collection<String> binaryNames) throws RefusedException {
        Set<Target> found = new LinkedHashSet<>();
        for (Root root : roots) {
            String name = root.find(binaryNames);
            ClassShape shape = name == null ? null : reached.shape(name.replace('.', '/'));
            if (shape == null) {
                await(root);
            } else {
                found.add(addRoot(root, shape));
            }
        }
        if (request.eager()) {
            found.addAll(choose(reached.callAll(found)));
        }
        return classesOf(found);
    }

    private Target addRoot(Root root, ClassShape shape) throws RefusedException {
        Target target = new Target(shape.name(), root.find(shape).signature());
        reached.addRoot(target);
        choose(target, true);
        return target;
    }

    /** A method is called for the first time; returns the classes of what it may call. */
    Set<String> firstCall(int method) {
        int place = method - firstId;
        if (place < 0 || place >= targets.size()) {
            return Set.of();
        }
        Target caller = targets.get(place);
        return classesOf(
                choose(request.eager() ? reached.callAll(Set.of(caller)) : reached.call(caller)));
    }

    /** Likewise of a call that is in no code. */
    Set<String> call(Call call) {
        return classesOf(choose(reached.call(call)));
    }

    private Collection<Target> choose(Collection<Target> found) {
        for (Target target : found) {
            if (targets.size() < request.methods()) {
                choose(target, false);
            } else {
                leftOut++;
            }
        }
        return found;
    }

    private void choose(Target target, boolean root) {
        Integer known = ids.get(target);
        int id = known == null ? takeId() : known;
        if (known == null) {
            ids.put(target, id);
            targets.add(target);
            CallHooks.methods(id + 1);
        }
        chosen.computeIfAbsent(target.className(), any -> new HashMap<>())
                .merge(
                        target.signature(),
                        new Chosen(id, root),
                        (before, now) -> before.root() ? before : now);
    }

    /** Never the same again, as long as the JVM runs: calls may outlive a measurement. */
    private static synchronized int takeId() {
        return nextId++;
    }

    private Set<String> classesOf(Collection<Target> methods) {
        Set<String> names = new HashSet<>();
        for (Target target : methods) {
            if (ids.containsKey(target)) {
                names.add(target.className());
            }
        }
        return names;
    }
}
