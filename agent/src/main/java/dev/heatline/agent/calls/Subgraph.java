package dev.heatline.agent.calls;

import static dev.heatline.agent.calls.ClassShape.Signature.STATIC_INITIALISER;

import dev.heatline.agent.RefusedException;
import dev.heatline.agent.boot.CallHooks;
import dev.heatline.agent.boot.RegionHooks;
import dev.heatline.agent.calls.CallInsertion.Chosen;
import dev.heatline.agent.calls.CallInsertion.Kind;
import dev.heatline.agent.calls.ClassShape.Call;
import dev.heatline.agent.calls.ClassShape.Signature;
import dev.heatline.agent.calls.Reached.Target;
import dev.heatline.wire.CallRequest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
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

    /** -1 is no method. */
    private static int nextPlace = -2;

    private final CallRequest request;
    private final int firstId = nextId;
    private final Hierarchy hierarchy = new Hierarchy();
    private final Reached reached = new Reached(hierarchy);

    /** Roots and regions whose class is not loaded yet, with what to say of them. */
    private final Map<Root, String> waiting = new LinkedHashMap<>();

    private final Map<Target, Integer> ids = new HashMap<>();

    /** By their numbers, from the first on. */
    private final List<Target> targets = new ArrayList<>();

    private final Map<String, Map<Signature, Chosen>> chosen = new HashMap<>();
    private int chosenCount;
    private long leftOut;

    /** Those that were called: of whom that was told, which happens once. */
    private final Set<Target> callers = new HashSet<>();

    private final int firstPlace = nextPlace;
    private final Map<Place, Integer> numbers = new HashMap<>();
    private final List<Place> places = new ArrayList<>();

    /** Classes that named one before it was loaded. */
    private final Map<String, Set<String>> callersOfUnknown = new HashMap<>();

    /** Calls of native methods that nothing overrides so far. */
    private final Map<Signature, Set<NativeCall>> nativeCalls = new HashMap<>();

    private final List<String> remarks = new ArrayList<>();

    /**
     * A line where something is made.
     *
     * @param type the internal name of its class, with brackets if it is an array
     */
    record Place(String type, int line) {}

    /**
     * A call of a native method.
     *
     * @param owner the class that is named
     */
    private record NativeCall(String caller, String owner) {}

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

    /** The number of what is made of a class at a line, which is negative. */
    int made(String type, int line) {
        Place place = new Place(type, line);
        Integer known = numbers.get(place);
        if (known != null) {
            return known;
        }
        int number = takePlace();
        numbers.put(place, number);
        places.add(place);
        return number;
    }

    /** What has that number; null if it is none. */
    @Nullable Place place(int number) {
        int place = firstPlace - number;
        return place >= 0 && place < places.size() ? places.get(place) : null;
    }

    /** The highest number of a place. */
    int firstPlace() {
        return firstPlace;
    }

    /**
     * The number of a native method that may be measured; null if it is none, or not known yet:
     * then the caller is to be changed again when it is.
     *
     * @param exact whether no overriding method can be meant
     */
    @Nullable Integer nativeMethod(
            String caller, String owner, Signature signature, boolean exact) {
        if (!hierarchy.knows(owner)) {
            callersOfUnknown.computeIfAbsent(owner, any -> new HashSet<>()).add(caller);
        }
        for (ClassShape shape = reached.shape(owner); shape != null; shape = above(shape)) {
            ClassShape.Method method = shape.method(signature);
            if (method != null) {
                boolean sure = exact || method.isFinal();
                if (!method.isNative() || (!sure && isOverridden(owner, signature))) {
                    return null;
                }
                if (!sure) {
                    nativeCalls
                            .computeIfAbsent(signature, any -> new HashSet<>())
                            .add(new NativeCall(caller, owner));
                }
                return numberOf(new Target(shape.name(), signature));
            }
        }
        return null;
    }

    /** Whether a class that extends the owner has, or may have, such a method of its own. */
    private boolean isOverridden(String owner, Signature signature) {
        for (String name : hierarchy.below(owner)) {
            ClassShape shape = reached.shape(name);
            if (shape == null || shape.method(signature) != null) {
                return true;
            }
        }
        return false;
    }

    /** Those that call a native method which that class overrides: it may be another one now. */
    private Set<String> callersOfOverridden(ClassShape shape) {
        Set<String> callers = new HashSet<>();
        for (ClassShape.Method method : shape.methods()) {
            for (NativeCall call : nativeCalls.getOrDefault(method.signature(), Set.of())) {
                if (!call.owner().equals(shape.name())
                        && hierarchy.isSubtype(shape.name(), call.owner())) {
                    callers.add(call.caller());
                }
            }
        }
        return callers;
    }

    private @Nullable ClassShape above(ClassShape shape) {
        return shape.superName() == null ? null : reached.shape(shape.superName());
    }

    private Integer numberOf(Target target) {
        Integer known = ids.get(target);
        return known == null ? (Integer) add(target) : known;
    }

    /** Those that call native methods of a class that was not known before. */
    private Set<String> callersOf(ClassShape shape) {
        Set<String> callers = callersOfUnknown.remove(shape.name());
        boolean natives = false;
        for (ClassShape.Method method : shape.methods()) {
            natives |= method.isNative();
        }
        return callers == null || !natives ? Set.of() : callers;
    }

    private int add(Target target) {
        int id = takeId();
        ids.put(target, id);
        targets.add(target);
        CallHooks.methods(id + 1);
        return id;
    }

    /** How many are changed. */
    int chosen() {
        return chosenCount;
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

    /** Likewise of all classes. */
    Map<String, Map<Signature, Chosen>> methodsByClass() {
        Map<String, Map<Signature, Chosen>> all = new HashMap<>();
        chosen.forEach((name, methods) -> all.put(name, Map.copyOf(methods)));
        return all;
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
        reached.announce(shape);
        reached.add(shape);
    }

    /** Takes note of a class that is about to be added. */
    void announce(ClassShape shape) {
        reached.announce(shape);
    }

    /** Classes that may call back measured ones: of which it is not known yet what they declare. */
    Set<String> unread() {
        return reached.unread();
    }

    /** Takes one of them; null if its file cannot be found. */
    void addUnmeasured(String name, @Nullable ClassShape shape) {
        reached.addUnmeasured(name, shape);
    }

    /** Takes a class that comes by; returns the classes besides it that are reached by that. */
    Set<String> add(ClassShape shape, boolean isNew) {
        Set<Target> found = reached.add(shape);
        Set<String> others = new HashSet<>(callersOf(shape));
        others.addAll(callersOfOverridden(shape));
        if (request.everything()) {
            choose(allOf(shape), Kind.ROOT);
            return others;
        }
        choose(found, Kind.CALL);
        others.addAll(classesOf(found));
        others.remove(shape.name());
        String name = shape.name().replace('/', '.');
        for (Root root : List.copyOf(waiting.keySet())) {
            if (root.isNamed(name)) {
                waiting.remove(root);
                addLate(root, shape);
            } else if (root.isMeant(name)) {
                waiting.put(root, root.waiting(List.of(name)));
            }
        }
        if (isNew && request.regions().isEmpty() && shape.method(STATIC_INITIALISER) != null) {
            // Whoever loads it by its name may be inside of a root.
            choose(new Target(shape.name(), STATIC_INITIALISER), Kind.CALL);
        }
        return others;
    }

    /** A class is loaded by whom it is not to trouble. */
    private void addLate(Root root, ClassShape shape) {
        try {
            addRoot(root, shape);
        } catch (RefusedException e) {
            remarks.add(e.getMessage());
        }
    }

    /** What people should know. */
    List<String> remarks() {
        List<String> all = new ArrayList<>(remarks);
        all.addAll(waiting.values());
        if (leftOut > 0) {
            all.add(
                    String.format(
                            Locale.ROOT,
                            "%,d methods beyond the limit of %,d are not measured; --methods"
                                    + " raises it",
                            leftOut,
                            request.methods()));
        }
        return all;
    }

    /** Takes a root of a class that is not among the loaded ones. */
    void await(Root root, Collection<String> binaryNames) {
        waiting.put(root, root.waiting(binaryNames));
    }

    /** Takes the roots; returns the classes of what they reach at once. */
    Set<String> addRoots(List<Root> roots, Candidates loaded) throws RefusedException {
        Set<Target> found = new LinkedHashSet<>();
        if (request.everything()) {
            for (ClassShape shape : reached.shapes()) {
                found.addAll(allOf(shape));
            }
            choose(found, Kind.ROOT);
            return classesOf(found);
        }
        for (Root root : roots) {
            ClassShape shape = shape(root, loaded);
            if (shape == null) {
                await(root, loaded.measurable());
            } else {
                found.add(addRoot(root, shape));
            }
        }
        if (request.eager() && request.regions().isEmpty()) {
            Set<Target> callees = reached.callAll(found);
            choose(callees, Kind.CALL);
            found.addAll(callees);
        }
        return classesOf(found);
    }

    /** The class of a root; null if it is not loaded yet. */
    private @Nullable ClassShape shape(Root root, Candidates loaded) throws RefusedException {
        String name = loaded.find(root);
        if (name == null) {
            return null;
        }
        ClassShape shape = reached.shape(name.replace('.', '/'));
        if (shape == null) {
            throw new RefusedException(
                    name
                            + " cannot be measured: its class file cannot be read; it is newer than"
                            + " those known here, or no compiler wrote it");
        }
        return shape;
    }

    /**
     * Takes other roots instead of those so far; returns the classes that have more or fewer
     * methods to be measured by that.
     */
    Set<String> changeRoots(List<Root> roots, Candidates loaded) throws RefusedException {
        // Before anything is forgotten, since one of them may be none.
        for (Root root : roots) {
            ClassShape shape = shape(root, loaded);
            if (shape != null) {
                root.find(shape);
            }
        }
        Set<String> classes = new HashSet<>(chosen.keySet());
        chosen.clear();
        chosenCount = 0;
        leftOut = 0;
        waiting.clear();
        reached.forgetCalls();
        classes.addAll(addRoots(roots, loaded));
        callAgain();
        classes.addAll(chosen.keySet());
        return classes;
    }

    /** Takes what those call that were called before: a second time nobody tells. */
    private void callAgain() {
        List<Target> todo = new ArrayList<>();
        chosen.forEach(
                (name, methods) ->
                        methods.keySet().forEach(each -> todo.add(new Target(name, each))));
        for (int i = 0; i < todo.size(); i++) {
            if (callers.contains(todo.get(i))) {
                Set<Target> found = reached.call(todo.get(i));
                choose(found, Kind.CALL);
                todo.addAll(found);
            }
        }
    }

    /** All that somebody wrote. */
    private static List<Target> allOf(ClassShape shape) {
        List<Target> all = new ArrayList<>();
        for (ClassShape.Method method : shape.methods()) {
            if (method.hasCode() && !method.isBridge()) {
                all.add(new Target(shape.name(), method.signature()));
            }
        }
        return all;
    }

    private Target addRoot(Root root, ClassShape shape) throws RefusedException {
        Target target = new Target(shape.name(), root.find(shape).signature());
        reached.addRoot(target);
        choose(target, request.regions().isEmpty() ? Kind.ROOT : Kind.REGION);
        return target;
    }

    /** A method is called for the first time; returns the classes of what it may call. */
    Set<String> firstCall(int method) {
        int place = method - firstId;
        if (request.everything() || place < 0 || place >= targets.size()) {
            return Set.of();
        }
        Target caller = targets.get(place);
        callers.add(caller);
        Set<Target> found =
                request.eager() ? reached.callAll(Set.of(caller)) : reached.call(caller);
        choose(found, Kind.CALL);
        return classesOf(found);
    }

    /** Likewise of a call that is in no code. */
    Set<String> call(Call call) {
        Set<Target> found = request.everything() ? Set.of() : reached.call(call);
        choose(found, Kind.CALL);
        return classesOf(found);
    }

    private void choose(Collection<Target> found, Kind kind) {
        for (Target target : found) {
            if (chosenCount < request.methods() || isChosen(target)) {
                choose(target, kind);
            } else {
                leftOut++;
            }
        }
    }

    private boolean isChosen(Target target) {
        return chosen.getOrDefault(target.className(), Map.of()).containsKey(target.signature());
    }

    private void choose(Target target, Kind kind) {
        int id = numberOf(target);
        if (kind == Kind.REGION) {
            RegionHooks.add(id);
        }
        Map<Signature, Chosen> methods =
                chosen.computeIfAbsent(target.className(), any -> new HashMap<>());
        Chosen before = methods.get(target.signature());
        if (before == null || before.kind() == Kind.CALL) {
            methods.put(target.signature(), new Chosen(id, kind));
        }
        chosenCount += before == null ? 1 : 0;
    }

    /** Never the same again, as long as the JVM runs: calls may outlive a measurement. */
    private static synchronized int takeId() {
        return nextId++;
    }

    /** Likewise. */
    private static synchronized int takePlace() {
        return nextPlace--;
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
