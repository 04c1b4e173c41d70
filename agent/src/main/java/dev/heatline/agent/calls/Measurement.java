package dev.heatline.agent.calls;

import dev.heatline.agent.LoadedClasses;
import dev.heatline.agent.RefusedException;
import dev.heatline.agent.boot.CallHooks;
import dev.heatline.agent.boot.CallTree;
import dev.heatline.agent.boot.CallTrees;
import dev.heatline.agent.boot.RegionHooks;
import dev.heatline.agent.boot.RegionTimes;
import dev.heatline.agent.boot.TrackedObjects;
import dev.heatline.agent.calls.CallInsertion.Chosen;
import dev.heatline.agent.calls.CallInsertion.Numbers;
import dev.heatline.agent.calls.ClassShape.Call;
import dev.heatline.agent.calls.ClassShape.Signature;
import dev.heatline.agent.calls.Reached.Target;
import dev.heatline.wire.CallRequest;
import dev.heatline.wire.CallSnapshot;
import dev.heatline.wire.CallSnapshot.Tree;
import dev.heatline.wire.RegionSnapshot;
import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Type;

/**
 * Roots and what they call, in the classes of this JVM: methods of the {@link Subgraph} are changed
 * when they are reached, in classes loaded later, too, and all of them changed back at the end.
 *
 * <p>Its lock is held for looking things up only, never while classes are changed: the JVM may load
 * classes for that, and who loads one comes here.
 */
final class Measurement implements ClassFileTransformer, CallHooks.Listener {
    /** How long roots may take to be waited for at the end. */
    private static final long LAST_CALLS_NANOS = 1_000_000_000L;

    /** What there has to be for roots to be compared with themselves alone. */
    static final int COMPARED_CALLS = 30;

    static final long COMPARED_NANOS = 50_000_000;
    static final double COMPARED_OVERHEAD = 0.1;

    /** What a reader makes of the constants of a class needs classes that make those. */
    private static final List<Object> CONSTANTS = List.of((byte) 1, (short) 1, '1', 1L, 1f, 1d);

    private final CallRequest request;
    private final Instrumentation instrumentation;
    private final LoadedClasses loaded;
    private final Scope scope;

    /** When everything was changed that is changed at first. */
    private volatile long startNanos = System.nanoTime();

    /** When roots were not entered any more; 0 before. */
    private volatile long endNanos;

    private final long compiledBefore = Compilers.millis();

    /** Likewise when roots were not entered any more. */
    private volatile long compiledAfter;

    private final Subgraph subgraph;
    private final Guard guard;
    private final ObjectSizes sizes;
    private final int reference;
    private final Set<String> changed = ConcurrentHashMap.newKeySet();
    private final Set<String> skipped = new HashSet<>();

    /** Those that do not have their own code yet at the end. */
    private volatile Set<String> stillChanged = changed;

    private volatile List<CallSnapshot.Alone> alone = List.of();

    /** Null where they do not tell what they call. */
    private final @Nullable Handles handles;

    private final ClassChanges changes;
    private boolean endedByOthers;
    private final Set<Class<?>> notRestored = ConcurrentHashMap.newKeySet();
    private final Calibrations calibrations = new Calibrations();

    Measurement(CallRequest request, Instrumentation instrumentation) {
        this.request = request;
        this.instrumentation = instrumentation;
        this.loaded = new LoadedClasses(instrumentation, CallHooks.class);
        this.changes = new ClassChanges(loaded, this::skip);
        this.scope = new Scope(request.includes(), request.excludes());
        this.subgraph = new Subgraph(request);
        this.guard = new Guard(request.budget());
        this.sizes = new ObjectSizes(instrumentation);
        this.reference = sizes.reference();
        this.handles = Handles.of(instrumentation);
    }

    /**
     * Does with a class of this agent what is done with others: what it needs must not be loaded
     * while it works on one, that would go round in circles.
     */
    static void tryOut(Instrumentation instrumentation) throws RefusedException, IOException {
        String method = Measurement.class.getName() + "::snapshot";
        tryOut(
                CallRequest.builder().roots(List.of(method)).survival(true),
                method,
                instrumentation);
        tryOut(CallRequest.builder().regions(List.of(method)), method, instrumentation);
    }

    private static void tryOut(
            CallRequest.Builder request, String method, Instrumentation instrumentation)
            throws RefusedException, IOException {
        CallRequest ours = request.includes(List.of("*")).excludes(List.of("*$*")).build();
        Measurement sample = new Measurement(ours, instrumentation);
        String name = LoadedClasses.internalName(Measurement.class);
        try (InputStream in =
                Measurement.class.getClassLoader().getResourceAsStream(name + ".classdata")) {
            byte[] bytes = Objects.requireNonNull(in).readAllBytes();
            sample.subgraph.await(Root.of(method), List.of());
            sample.sizes.named(name, Measurement.class.getClassLoader());
            sample.transform(null, name, null, null, bytes);
            sample.subgraph.firstCall(sample.subgraph.firstId());
            sample.skipped.add(String.valueOf(CONSTANTS));
            sample.reflectiveCall(MethodHandles.constant(int.class, 1));
            sample.transform(null, name, Measurement.class, null, new byte[0]);
        }
    }

    /**
     * Finds the roots and changes them, and with the eager scheme everything that they reach.
     *
     * @param changing the thread that changes classes from then on
     */
    void begin(Thread changing) throws RefusedException {
        List<Root> roots = new ArrayList<>();
        for (String written : request.regions().isEmpty() ? request.roots() : request.regions()) {
            if (!request.everything()) {
                roots.add(Root.of(written));
            }
        }
        // Before: classes that are loaded meanwhile are known then.
        instrumentation.addTransformer(this, true);
        boolean begun = false;
        try {
            know(loaded.all(type -> true), roots);
            CallHooks.start(
                    this,
                    subgraph.firstId(),
                    subgraph.firstPlace(),
                    request.contexts(),
                    request.sampled());
            if (request.survival()) {
                CallHooks.trackObjects();
            }
            readCpuTimes();
            CallTrees.ignore(changing);
            CallTrees.ignore(Thread.currentThread());
            RegionHooks.start(subgraph.firstId());
            CallHooks.sizes(sizes.arrayHeaders(), reference, sizes.alignment());
            calibrations.calibrate();
            Set<String> names = add(roots);
            if (request.regions().isEmpty() && !request.everything()) {
                changes.change(CallInsertion.REFLECTION);
            }
            changes.change(names);
            startNanos = System.nanoTime();
            begun = true;
        } finally {
            if (!begun) {
                end();
            }
            CallTrees.heed(Thread.currentThread());
        }
    }

    /** If this JVM has them; it may have been made without that module. */
    private static void readCpuTimes() {
        try {
            ThreadMXBean threads = ManagementFactory.getThreadMXBean();
            if (threads.isCurrentThreadCpuTimeSupported() && threads.isThreadCpuTimeEnabled()) {
                CallHooks.cpuClocks(threads::getCurrentThreadCpuTime, threads::getThreadCpuTime);
            }
        } catch (LinkageError e) {
            // Then times are elapsed times only.
            return;
        }
    }

    /** Goes on with other roots. What was measured so far stays. */
    void changeRoots(List<String> written) throws RefusedException {
        if (isOfRegions() || request.everything() || written.contains(CallRequest.EVERYTHING)) {
            throw new RefusedException(
                    "only single roots can be changed while calls are measured, and not regions or "
                            + CallRequest.EVERYTHING);
        }
        List<Root> roots = new ArrayList<>();
        for (String each : written) {
            roots.add(Root.of(each));
        }
        CallTrees.ignore(Thread.currentThread());
        try {
            Set<String> names;
            synchronized (this) {
                names = subgraph.changeRoots(roots, candidates());
                CallHooks.tellAgain();
            }
            changes.change(names);
        } finally {
            CallTrees.heed(Thread.currentThread());
        }
    }

    private void know(List<Class<?>> types, List<Root> roots) {
        List<Class<?>> measured = new ArrayList<>();
        Map<String, @Nullable ClassLoader> loaders = new HashMap<>();
        synchronized (this) {
            for (Class<?> type : types) {
                Class<?> above = type.getSuperclass();
                List<String> interfaces = new ArrayList<>();
                for (Class<?> each : type.getInterfaces()) {
                    interfaces.add(LoadedClasses.internalName(each));
                }
                subgraph.addType(
                        LoadedClasses.internalName(type),
                        above == null ? null : LoadedClasses.internalName(above),
                        interfaces);
                loaders.put(LoadedClasses.internalName(type), type.getClassLoader());
                if (scope.includes(type) && (!isOfRegions() || isMeant(type, roots))) {
                    measured.add(type);
                }
            }
        }
        List<Class<?>> withoutFile = new ArrayList<>();
        for (Class<?> type : measured) {
            String name = LoadedClasses.internalName(type);
            ClassShape shape = ClassFiles.shape(type.getClassLoader(), name);
            if (shape == null) {
                withoutFile.add(type);
            } else {
                synchronized (this) {
                    if (!subgraph.knows(name)) {
                        subgraph.addLoaded(shape);
                    }
                }
            }
        }
        readUnmeasured(loaders, null);
        // They come by here, with the code that they have.
        loaded.change(withoutFile, this::skip);
    }

    /** Nothing that a region calls is of interest. */
    private static boolean isMeant(Class<?> type, List<Root> roots) {
        for (Root root : roots) {
            if (root.isMeant(type.getName())) {
                return true;
            }
        }
        return false;
    }

    /**
     * Finds out what classes declare that are not measured, and may call back those that are. Not
     * under the lock: files are read, by loaders of the application.
     *
     * @param loaders of classes that are loaded
     * @param other of those that are not
     */
    private void readUnmeasured(
            Map<String, @Nullable ClassLoader> loaders, @Nullable ClassLoader other) {
        if (isOfRegions() || request.everything()) {
            return;
        }
        Set<String> names = unread();
        while (!names.isEmpty()) {
            for (String name : names) {
                ClassLoader loader = loaders.containsKey(name) ? loaders.get(name) : other;
                ClassShape shape = ClassFiles.shape(loader, name);
                synchronized (this) {
                    subgraph.addUnmeasured(name, shape);
                }
            }
            names = unread();
        }
    }

    private synchronized Set<String> unread() {
        return subgraph.unread();
    }

    private synchronized Set<String> add(List<Root> roots) throws RefusedException {
        return subgraph.addRoots(roots, candidates());
    }

    private Candidates candidates() {
        return new Candidates(instrumentation.getAllLoadedClasses(), scope);
    }

    private synchronized void skip(Class<?> type) {
        skipped.add(LoadedClasses.internalName(type));
    }

    /** In the application's thread, which goes on when what it is about to call is changed. */
    @Override
    public void firstCall(int method) {
        ClassChanges.Change change;
        synchronized (this) {
            change = changes.ask(subgraph.firstCall(method));
        }
        changes.await(change);
    }

    /** Likewise. */
    @Override
    public void reflectiveCall(Object callee) {
        List<Call> calls = List.of();
        if (callee instanceof Executable method) {
            calls = List.of(call(method));
        } else if (callee instanceof MethodHandle handle && handles != null) {
            // Not under the lock: it may load classes.
            calls = handles.calls(handle);
        }
        ClassChanges.Change change;
        synchronized (this) {
            Set<String> classes = new HashSet<>();
            calls.forEach(each -> classes.addAll(subgraph.call(each)));
            change = changes.ask(classes);
        }
        changes.await(change);
    }

    private static Call call(Executable method) {
        String owner = LoadedClasses.internalName(method.getDeclaringClass());
        boolean isConstructor = method instanceof Constructor;
        Signature signature =
                method instanceof Method named
                        ? new Signature(named.getName(), Type.getMethodDescriptor(named))
                        : new Signature(
                                "<init>", Type.getConstructorDescriptor((Constructor<?>) method));
        return new Call(owner, signature, isConstructor, !isConstructor);
    }

    /** Changes what threads wait for, if there is anything before that time has passed. */
    void changeReached(long patienceMillis) throws InterruptedException {
        changes.changeReached(patienceMillis);
    }

    /** Looks what the hooks cost; false if it is to be called again, after a pause. */
    boolean calibrateOnce() {
        return calibrations.lookOnce();
    }

    @Override
    public byte @Nullable [] transform(
            @Nullable ClassLoader loader,
            @Nullable String name,
            @Nullable Class<?> redefined,
            @Nullable ProtectionDomain domain,
            byte[] bytes) {
        // Whoever loads a class may be measured.
        int from = CallTrees.goAway();
        try {
            if (name != null && loader == null && CallInsertion.REFLECTION.contains(name)) {
                changed.add(name);
                return CallInsertion.tellReflection(bytes);
            }
            return name == null || !scope.includes(loader, name)
                    ? null
                    : changed(loader, name, redefined == null, bytes);
        } finally {
            CallTrees.comeBack(from);
        }
    }

    private byte @Nullable [] changed(
            @Nullable ClassLoader loader, String name, boolean isNew, byte[] bytes) {
        try {
            Map<Signature, Chosen> methods = methodsOf(loader, name, isNew, bytes);
            if (methods.isEmpty()) {
                return null;
            }
            byte[] result = null;
            if (loaded.seesHooks(loader)) {
                byte[] inserted = CallInsertion.insert(bytes, methods, numbers(loader, name));
                if (Verification.isSound(bytes, inserted, methods.keySet())) {
                    result = inserted;
                }
            }
            synchronized (this) {
                (result == null ? skipped : changed).add(name);
            }
            return result;
        } catch (RuntimeException | LinkageError e) {
            // A class file as no compiler writes it, or a newer one than is known here.
            synchronized (this) {
                skipped.add(name);
            }
            return null;
        }
    }

    /** For a class. */
    private Numbers numbers(@Nullable ClassLoader loader, String name) {
        return new Numbers() {
            @Override
            public int made(String type, int line) {
                if (!request.allocations()) {
                    return NONE;
                }
                sizes.named(type, loader);
                synchronized (Measurement.this) {
                    return subgraph.made(type, line);
                }
            }

            @Override
            public int reference() {
                return reference;
            }

            @Override
            public boolean tracked() {
                return request.survival();
            }

            @Override
            public int nativeMethod(String owner, Signature signature, boolean exact) {
                synchronized (Measurement.this) {
                    Integer id = subgraph.nativeMethod(name, owner, signature, exact);
                    return id == null ? NONE : id;
                }
            }
        };
    }

    private Map<Signature, Chosen> methodsOf(
            @Nullable ClassLoader loader, String name, boolean isNew, byte[] bytes) {
        boolean known;
        synchronized (this) {
            known = !isNew && subgraph.knows(name);
        }
        ClassShape shape = known ? null : ClassShape.of(bytes);
        if (shape != null) {
            synchronized (this) {
                subgraph.announce(shape);
            }
            readUnmeasured(Map.of(), loader);
        }
        synchronized (this) {
            if (shape != null) {
                changes.ask(subgraph.add(shape, isNew));
            }
            return subgraph.methodsOf(name);
        }
    }

    /** Says that somebody else wants it to end. */
    synchronized void endForOthers() {
        endedByOthers = true;
    }

    /** No root is entered any more; those that are under way are waited for. */
    void stopCounting() {
        CallTrees.ignore(Thread.currentThread());
        calibrations.calibrate();
        CallHooks.stop();
        compiledAfter = Compilers.millis();
        endNanos = System.nanoTime();
        awaitThoseInside();
    }

    /**
     * Times the roots alone, where the hooks may have made more of a difference than calibration
     * tells, and enough calls were timed to be compared. To be called when counting has stopped.
     */
    void compareRoots() {
        CallSnapshot seen = snapshot();
        if (isOfRegions()
                || request.everything()
                || request.allocations()
                || seen.rootCalls() < COMPARED_CALLS
                || seen.rootsNanos() < COMPARED_NANOS
                || seen.overhead() < COMPARED_OVERHEAD) {
            return;
        }
        Map<String, Map<Signature, Chosen>> measured;
        synchronized (this) {
            measured = subgraph.methodsByClass();
        }
        RootsAlone roots = new RootsAlone(instrumentation, loaded, measured);
        instrumentation.removeTransformer(this);
        changes.end();
        roots.begin();
        try {
            loaded.restore(changed, notRestored::add);
            stillChanged = roots.classes();
            if (roots.isAnyChanged()) {
                alone = roots.time(subgraph.firstId());
            }
        } finally {
            roots.end();
        }
    }

    /** Gives all classes their own code back, also if anything else fails. */
    void end() {
        try {
            if (endNanos == 0) {
                stopCounting();
            }
        } finally {
            restore();
        }
        try {
            // Asks for all sizes that are not known yet.
            snapshot();
        } finally {
            sizes.finish();
        }
    }

    private void restore() {
        CallHooks.stop();
        instrumentation.removeTransformer(this);
        try {
            changes.end();
        } finally {
            loaded.restore(stillChanged, notRestored::add);
        }
    }

    /**
     * Classes get their code back one after the other: who is inside of a root meanwhile is counted
     * in some and not in others. Roots that take long are not waited for.
     */
    private void awaitThoseInside() {
        long end = System.nanoTime() + LAST_CALLS_NANOS;
        try {
            while (CallTrees.isAnyInside() && System.nanoTime() < end) {
                changeReached(1);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Keeps what measuring takes inside of the budget, as far as that is possible. */
    synchronized void keepBudget(CallSnapshot now) {
        List<Integer> methods = new ArrayList<>();
        for (int method : guard.look(now)) {
            methods.add(method + subgraph.firstId());
        }
        if (!methods.isEmpty()) {
            CallHooks.count(methods);
        }
    }

    /** Whether it is not. */
    synchronized boolean isTooDear() {
        return guard.isTooDear();
    }

    synchronized CallSnapshot snapshot() {
        List<Tree> trees = new ArrayList<>();
        long unseen = 0;
        long unseenObjects = 0;
        long folded = 0;
        CallTrees.forgetEnded();
        List<CallTree> threads = CallTrees.all();
        Survivors survivors = Survivors.look(CallHooks.tracked(), threads);
        for (CallTree tree : threads) {
            trees.add(Copies.of(tree, subgraph, sizes, survivors));
            unseen += tree.unseen();
            unseenObjects += tree.unseenObjects();
            folded += tree.folded();
        }
        Map<String, Long> counts = new TreeMap<>();
        counts.put(CallSnapshot.METHODS, (long) subgraph.chosen());
        counts.put(CallSnapshot.CLASSES, (long) chosenClasses());
        counts.put(CallSnapshot.NOT_RESTORED, (long) notRestored.size());
        counts.put(CallSnapshot.SKIPPED, (long) skipped.size());
        counts.put(CallSnapshot.UNSEEN, unseen);
        counts.put(CallSnapshot.UNSEEN_OBJECTS, unseenObjects);
        counts.put(CallSnapshot.FOLDED, folded);
        counts.put(CallSnapshot.LATE, changes.late());
        counts.put(CallSnapshot.LEFT_OUT, subgraph.leftOut());
        counts.put(CallSnapshot.WAITING_ROOTS, (long) subgraph.waiting());
        counts.put(CallSnapshot.CHANGING_MICROS, changes.nanos() / 1000);
        counts.put(CallSnapshot.COMPILING_MILLIS, compilingMillis());
        counts.put(CallSnapshot.UNSIZED, (long) sizes.unknown());
        TrackedObjects tracked = CallHooks.tracked();
        if (tracked != null) {
            counts.put(CallSnapshot.COLLECTIONS, (long) tracked.collections());
            counts.put(CallSnapshot.UNTRACKED, tracked.withoutRoom());
        }
        counts.put(CallSnapshot.COUNTED, (long) guard.counted());
        counts.put(CallSnapshot.TOO_DEAR, guard.isTooDear() ? 1L : 0L);
        counts.put(CallSnapshot.ENDED, endedByOthers ? 1L : 0L);
        List<CallSnapshot.Method> methods = new ArrayList<>();
        for (Target target : subgraph.methods()) {
            methods.add(Copies.named(target));
        }
        return new CallSnapshot(
                elapsedNanos(),
                calibrations.costs(),
                counts,
                List.copyOf(subgraph.remarks()),
                methods,
                trees,
                alone);
    }

    /** Whether only the times of single methods are wanted. */
    boolean isOfRegions() {
        return !request.regions().isEmpty();
    }

    /** The times of the regions. */
    synchronized RegionSnapshot regions() {
        List<RegionSnapshot.Region> regions = new ArrayList<>();
        for (int i = 0; i < subgraph.methods().size(); i++) {
            RegionTimes times = RegionHooks.times(subgraph.firstId() + i);
            if (times != null) {
                Target target = subgraph.methods().get(i);
                regions.add(Copies.of(Copies.named(target), times, startNanos));
            }
        }
        return new RegionSnapshot(elapsedNanos(), regions);
    }

    /** How long calls were measured so far. */
    private long elapsedNanos() {
        return (endNanos == 0 ? System.nanoTime() : endNanos) - startNanos;
    }

    private long compilingMillis() {
        return (endNanos == 0 ? Compilers.millis() : compiledAfter) - compiledBefore;
    }

    /** Reflection is changed besides. */
    private int chosenClasses() {
        Set<String> names = new HashSet<>(changed);
        names.removeAll(CallInsertion.REFLECTION);
        return names.size();
    }
}
