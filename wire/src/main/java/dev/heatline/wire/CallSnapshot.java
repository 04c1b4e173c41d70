package dev.heatline.wire;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What was measured exactly in a JVM up to a moment: written by the agent again and again, each
 * time as a whole, and read by the tool.
 *
 * @param elapsedNanos since measuring began
 * @param costs what was found out of what calls cost
 * @param counts facts for people, by name
 * @param remarks other facts for people
 * @param methods that were changed; a method's number is its place
 * @param trees one for each thread that was in a root
 * @param alone what roots took after the end, when nothing else was measured; of those of which
 *     that is known
 */
public record CallSnapshot(
        long elapsedNanos,
        Costs costs,
        Map<String, Long> counts,
        List<String> remarks,
        List<Method> methods,
        List<Tree> trees,
        List<Alone> alone) {

    /** In the folder that both sides share. */
    public static final String FILE = "calls";

    /** Names of {@link #counts}. */
    public static final String METHODS = "methods changed";

    public static final String CLASSES = "classes changed";
    public static final String SKIPPED = "classes that could not be changed";
    public static final String NOT_RESTORED = "classes that keep what was changed";
    public static final String UNSEEN = "calls without room in the tree";
    public static final String UNSEEN_OBJECTS = "objects without room in the tree, not counted";
    public static final String FOLDED = "calls in rare contexts, which count for their callers";
    public static final String LATE = "first calls that did not wait for what they call";
    public static final String CHANGING_MICROS = "us in which classes were changed";
    public static final String WAITING_ROOTS = "roots not loaded yet";
    public static final String LEFT_OUT = "methods beyond the limit";
    public static final String UNSIZED = "classes whose objects have an unknown size";
    public static final String COUNTED = "methods counted only, to stay inside the budget";
    public static final String COMPILING_MILLIS = "ms of compiling by the JVM meanwhile";

    /** There only if objects are tracked. */
    public static final String COLLECTIONS = "garbage collections seen";

    public static final String UNTRACKED = "objects without room to be tracked";
    public static final String ENDED = "times that measuring was ended by another tool";
    public static final String TOO_DEAR = "times that measuring ended, beyond the budget";

    /** More cannot be told from it, since it is a part of what is measured. */
    private static final double MOST_OVERHEAD = 100;

    private static final int MAGIC = 0x48454154;
    private static final int VERSION = 8;
    private static final int NODE_BYTES = 2 * Integer.BYTES + 7 * Long.BYTES;

    /**
     * What measuring a call takes, in nanoseconds.
     *
     * @param inner what it seems to take longer than it does
     * @param outer what it makes its caller seem to take longer, besides
     * @param hiddenInner what is added to inner where it does nothing itself
     * @param hiddenOuter what is added to outer where its caller does nothing itself
     * @param untimed what it makes its caller seem to take longer if it is only counted
     * @param hiddenUntimed what is added to untimed where neither does anything
     */
    public record Costs(
            double inner,
            double outer,
            double hiddenInner,
            double hiddenOuter,
            double untimed,
            double hiddenUntimed) {
        /** Before anything was found out. */
        public static final Costs NONE = new Costs(0, 0, 0, 0, 0, 0);

        /** Of a call that is timed. */
        public double pair() {
            return inner + outer;
        }

        /** Of one that is only counted, at most. */
        public double mostUntimed() {
            return untimed + hiddenUntimed;
        }

        private void write(DataOutputStream out) throws IOException {
            out.writeDouble(inner);
            out.writeDouble(outer);
            out.writeDouble(hiddenInner);
            out.writeDouble(hiddenOuter);
            out.writeDouble(untimed);
            out.writeDouble(hiddenUntimed);
        }

        private static Costs read(DataInputStream in) throws IOException {
            return new Costs(
                    in.readDouble(),
                    in.readDouble(),
                    in.readDouble(),
                    in.readDouble(),
                    in.readDouble(),
                    in.readDouble());
        }
    }

    /** Of which it is not known what roots take alone. */
    public CallSnapshot(
            long elapsedNanos,
            Costs costs,
            Map<String, Long> counts,
            List<String> remarks,
            List<Method> methods,
            List<Tree> trees) {
        this(elapsedNanos, costs, counts, remarks, methods, trees, List.of());
    }

    /**
     * For how long the outermost calls of a root ran with nothing but a clock around them.
     *
     * @param method the root
     * @param calls how many were timed
     * @param meanNanos of one
     * @param spreadNanos the standard deviation of one
     * @param errorNanos the standard error of the mean
     * @param idleNanos for how long the thread did not run during one, on an average
     * @param idleErrorNanos the standard error of that
     */
    public record Alone(
            int method,
            long calls,
            double meanNanos,
            double spreadNanos,
            double errorNanos,
            double idleNanos,
            double idleErrorNanos) {
        private void write(DataOutputStream out) throws IOException {
            out.writeInt(method);
            out.writeLong(calls);
            out.writeDouble(meanNanos);
            out.writeDouble(spreadNanos);
            out.writeDouble(errorNanos);
            out.writeDouble(idleNanos);
            out.writeDouble(idleErrorNanos);
        }

        private static Alone read(DataInputStream in, int methodCount) throws IOException {
            Alone alone =
                    new Alone(
                            in.readInt(),
                            in.readLong(),
                            in.readDouble(),
                            in.readDouble(),
                            in.readDouble(),
                            in.readDouble(),
                            in.readDouble());
            if (alone.method < 0 || alone.method >= methodCount) {
                throw new IOException("a root is said to be method " + alone.method);
            }
            return alone;
        }
    }

    /** Names as in a class file's constants, but with dots in the class's. */
    public record Method(String className, String name, String descriptor) {}

    /**
     * Objects that a context made at one line.
     *
     * @param node the context
     * @param className of the objects; an array's ends with brackets
     * @param line 0 if it is not known
     * @param survival what became of them
     */
    public record Made(
            int node, String className, int line, long objects, long bytes, Survival survival) {
        /** Of which none were tracked. */
        public Made(int node, String className, int line, long objects, long bytes) {
            this(node, className, line, objects, bytes, Survival.NONE);
        }
    }

    /**
     * What became of objects, as far as those tell that were tracked.
     *
     * @param tracked how many were
     * @param alive those that are still there
     */
    public record Survival(long tracked, List<Aged> alive) {
        public static final Survival NONE = new Survival(0, List.of());
    }

    /**
     * Objects that have survived as many garbage collections as each other: an estimate.
     *
     * @param collections 0 if there was none since they were made, so that nothing is known
     */
    public record Aged(int collections, long objects, long bytes) {}

    /**
     * Contexts of one thread, by their numbers. A parent comes before its children; the first one
     * is outside of all roots.
     */
    public static final class Tree {
        /** In place of an estimate. */
        public static final long EVERY_CALL = -1;

        /** In place of idle time. */
        public static final long UNKNOWN = -1;

        private final int number;
        private final String thread;
        private final int[] methods;
        private final int[] parents;
        private final long[] calls;
        private final long[] selfNanos;
        private final long[] estimatedNanos;
        private final long[] timedInside;
        private final long[] untimedInside;
        private final long[] untimed;
        private final long[] idleNanos;
        private final List<Made> made = new ArrayList<>();

        /**
         * Room for so many.
         *
         * @param number tells it from the trees of other threads, in all snapshots
         */
        public Tree(int number, String thread, int size) {
            this.number = number;
            this.thread = thread;
            this.methods = new int[size];
            this.parents = new int[size];
            this.calls = new long[size];
            this.selfNanos = new long[size];
            this.estimatedNanos = new long[size];
            this.timedInside = new long[size];
            this.untimedInside = new long[size];
            this.untimed = new long[size];
            this.idleNanos = new long[size];
        }

        /** Says what a context is, and what was seen of it. */
        public void set(int node, int method, int parent, long called, long nanos, long estimated) {
            methods[node] = method;
            parents[node] = parent;
            calls[node] = called;
            selfNanos[node] = nanos;
            estimatedNanos[node] = estimated;
        }

        /** Says how many calls there are in those of the estimate. */
        public void setInside(int node, long timed, long others) {
            timedInside[node] = timed;
            untimedInside[node] = others;
        }

        /** Says how many of its calls were only counted. */
        public void setUntimed(int node, long count) {
            untimed[node] = count;
        }

        /** Says for how much of its own time its thread was not running. */
        public void setIdle(int node, long nanos) {
            idleNanos[node] = nanos;
        }

        /** Says what one of them made. */
        public void add(Made some) {
            made.add(some);
        }

        public int number() {
            return number;
        }

        public String thread() {
            return thread;
        }

        public int size() {
            return methods.length;
        }

        /** The number of its method. */
        public int method(int node) {
            return methods[node];
        }

        public int parent(int node) {
            return parents[node];
        }

        /** How often it was entered. */
        public long calls(int node) {
            return calls[node];
        }

        /** As it was measured, without what was measured of the calls that it made. */
        public long selfNanos(int node) {
            return selfNanos[node];
        }

        /**
         * What all calls took, with all that they called and the hooks in it, as far as those tell
         * that were timed; {@link #EVERY_CALL} where all were.
         */
        public long estimatedNanos(int node) {
            return estimatedNanos[node];
        }

        /** How many timed calls were in those, likewise. */
        public long timedInside(int node) {
            return timedInside[node];
        }

        /** How many others were in those, likewise. */
        public long untimedInside(int node) {
            return untimedInside[node];
        }

        /** All of that. */
        public Estimate estimate(int node) {
            return new Estimate(
                    estimatedNanos[node], calls[node], timedInside[node], untimedInside[node]);
        }

        /** How many of its calls were only counted: what they took is in who called them. */
        public long untimed(int node) {
            return untimed[node];
        }

        /** For how much of its own time its thread was not running; {@link #UNKNOWN} may be. */
        public long idleNanos(int node) {
            return idleNanos[node];
        }

        /** Its own time without that, as far as it is known. */
        public long runningNanos(int node) {
            return selfNanos[node] - Math.max(0, idleNanos[node]);
        }

        /** Whether not every call was timed, by choice of the agent. */
        public boolean isSampled() {
            return size() > 1 && estimatedNanos[1] != EVERY_CALL;
        }

        /** How many of its calls cost no more than being counted; where sampled, nearly all. */
        public long onlyCounted(int node) {
            return isSampled() ? calls[node] : untimed[node];
        }

        /**
         * What all calls of its roots took as far as they were running, where times were sampled.
         */
        public Estimate roots() {
            Estimate all = Estimate.NONE;
            double self = 0;
            double running = 0;
            for (int node = 1; node < size(); node++) {
                if (parents[node] == 0) {
                    all = all.plus(estimate(node));
                }
                self += selfNanos[node];
                running += runningNanos(node);
            }
            return self > 0 ? all.times(Math.max(0, running) / self) : all;
        }

        /** What they made. */
        public List<Made> made() {
            return made;
        }
    }

    /** How often roots were called from outside of all roots. */
    public long rootCalls() {
        long calls = 0;
        for (Tree tree : trees) {
            for (int node = 1; node < tree.size(); node++) {
                calls += tree.parent(node) == 0 ? tree.calls(node) : 0;
            }
        }
        return calls;
    }

    /** How long threads were in roots, about, with what measuring took. */
    public double rootsNanos() {
        double nanos = 0;
        for (Tree tree : trees) {
            nanos += tree.isSampled() ? Math.max(0, tree.roots().net(costs)) : 0;
            for (int node = 1; node < tree.size(); node++) {
                nanos +=
                        tree.isSampled()
                                ? tree.calls(node) * costs.mostUntimed()
                                : tree.selfNanos(node);
            }
        }
        return nanos;
    }

    /**
     * What measuring took for each second that threads were running below the roots without it;
     * where times were sampled, at least.
     */
    public double overhead() {
        double took = 0;
        double net = 0;
        for (Tree tree : trees) {
            for (int node = 1; node < tree.size(); node++) {
                long untimed = tree.onlyCounted(node);
                long timed = tree.calls(node) - untimed;
                double cost = timed * costs.pair() + untimed * costs.mostUntimed();
                took += cost;
                net += tree.isSampled() ? 0 : tree.runningNanos(node) - cost;
            }
            net += tree.isSampled() ? Math.max(0, tree.roots().net(costs)) : 0;
        }
        return took == 0 ? 0 : took / Math.max(net, took / MOST_OVERHEAD);
    }

    /** Writes it so that who reads sees all of it or the one before. */
    public void write(Path folder) throws IOException {
        Path draft = folder.resolve(FILE + ".new");
        try (DataOutputStream out =
                new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(draft)))) {
            out.writeInt(MAGIC);
            out.writeInt(VERSION);
            out.writeLong(elapsedNanos);
            costs.write(out);
            out.writeInt(counts.size());
            for (Map.Entry<String, Long> count : counts.entrySet()) {
                out.writeUTF(count.getKey());
                out.writeLong(count.getValue());
            }
            out.writeInt(remarks.size());
            for (String remark : remarks) {
                out.writeUTF(remark);
            }
            out.writeInt(methods.size());
            for (Method method : methods) {
                out.writeUTF(method.className());
                out.writeUTF(method.name());
                out.writeUTF(method.descriptor());
            }
            out.writeInt(trees.size());
            for (Tree tree : trees) {
                write(out, tree);
            }
            out.writeInt(alone.size());
            for (Alone each : alone) {
                each.write(out);
            }
        }
        Files.move(draft, folder.resolve(FILE), StandardCopyOption.ATOMIC_MOVE);
    }

    private static void write(DataOutputStream out, Tree tree) throws IOException {
        out.writeInt(tree.number());
        out.writeUTF(tree.thread());
        out.writeInt(tree.size());
        for (int i = 0; i < tree.size(); i++) {
            out.writeInt(tree.method(i));
            out.writeInt(tree.parent(i));
            out.writeLong(tree.calls(i));
            out.writeLong(tree.selfNanos(i));
            out.writeLong(tree.estimatedNanos(i));
            out.writeLong(tree.timedInside(i));
            out.writeLong(tree.untimedInside(i));
            out.writeLong(tree.untimed(i));
            out.writeLong(tree.idleNanos(i));
        }
        out.writeInt(tree.made().size());
        for (Made made : tree.made()) {
            out.writeInt(made.node());
            out.writeUTF(made.className());
            out.writeInt(made.line());
            out.writeLong(made.objects());
            out.writeLong(made.bytes());
            out.writeLong(made.survival().tracked());
            out.writeInt(made.survival().alive().size());
            for (Aged aged : made.survival().alive()) {
                out.writeInt(aged.collections());
                out.writeLong(aged.objects());
                out.writeLong(aged.bytes());
            }
        }
    }

    /**
     * What was written last.
     *
     * @throws IOException if there is none, or it is damaged
     */
    public static CallSnapshot read(Path folder) throws IOException {
        Path file = folder.resolve(FILE);
        // Nothing in it takes less than a byte, so no number of things can be larger.
        long most = Files.size(file);
        try (DataInputStream in =
                new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
            if (in.readInt() != MAGIC || in.readInt() != VERSION) {
                throw new IOException(file + " is not what this version of the agent writes");
            }
            long elapsedNanos = in.readLong();
            Costs costs = Costs.read(in);
            Map<String, Long> counts = new TreeMap<>();
            for (int left = number(in, most); left > 0; left--) {
                counts.put(in.readUTF(), in.readLong());
            }
            List<String> remarks = new ArrayList<>();
            for (int left = number(in, most); left > 0; left--) {
                remarks.add(in.readUTF());
            }
            List<Method> methods = new ArrayList<>();
            for (int left = number(in, most); left > 0; left--) {
                methods.add(new Method(in.readUTF(), in.readUTF(), in.readUTF()));
            }
            List<Tree> trees = new ArrayList<>();
            for (int left = number(in, most); left > 0; left--) {
                trees.add(tree(in, most, methods.size()));
            }
            List<Alone> alone = new ArrayList<>();
            for (int left = number(in, most); left > 0; left--) {
                alone.add(Alone.read(in, methods.size()));
            }
            return new CallSnapshot(elapsedNanos, costs, counts, remarks, methods, trees, alone);
        } catch (EOFException e) {
            throw new IOException(file + " is cut off", e);
        }
    }

    private static Tree tree(DataInputStream in, long most, int methodCount) throws IOException {
        int treeNumber = in.readInt();
        String thread = in.readUTF();
        int size = number(in, most / NODE_BYTES);
        if (size == 0) {
            throw new IOException("a thread has no calling context");
        }
        Tree tree = new Tree(treeNumber, thread, size);
        for (int node = 0; node < tree.size(); node++) {
            int method = in.readInt();
            int parent = in.readInt();
            boolean known = method >= 0 && method < methodCount && parent >= 0 && parent < node;
            if (node > 0 && !known) {
                throw new IOException(
                        "calling context "
                                + node
                                + " is damaged: method "
                                + method
                                + " of "
                                + methodCount
                                + ", parent "
                                + parent);
            }
            tree.set(node, method, parent, in.readLong(), in.readLong(), in.readLong());
            tree.setInside(node, in.readLong(), in.readLong());
            tree.setUntimed(node, in.readLong());
            tree.setIdle(node, in.readLong());
        }
        for (int left = number(in, most); left > 0; left--) {
            tree.add(made(in, most, size));
        }
        return tree;
    }

    private static Made made(DataInputStream in, long most, int size) throws IOException {
        int node = in.readInt();
        if (node <= 0 || node >= size) {
            throw new IOException("objects are said to be made by context " + node);
        }
        return new Made(
                node, in.readUTF(), in.readInt(), in.readLong(), in.readLong(), survival(in, most));
    }

    private static Survival survival(DataInputStream in, long most) throws IOException {
        long tracked = in.readLong();
        List<Aged> alive = new ArrayList<>();
        for (int left = number(in, most); left > 0; left--) {
            alive.add(new Aged(in.readInt(), in.readLong(), in.readLong()));
        }
        return new Survival(tracked, alive);
    }

    private static int number(DataInputStream in, long most) throws IOException {
        int number = in.readInt();
        if (number < 0 || number > most) {
            throw new IOException("a number is damaged: " + number);
        }
        return number;
    }
}
