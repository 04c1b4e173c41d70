package dev.heatline.agent.calls;

import dev.heatline.agent.Target;
import dev.heatline.wire.CallRequest;
import dev.heatline.wire.CallSnapshot;
import dev.heatline.wire.RegionSnapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** {@link CallScenes} on a real JVM, whose calls are measured. */
final class Measured implements AutoCloseable {
    private static final String SCENES = CallScenes.class.getName() + "$";

    private final Target program;
    private Path folder = Path.of("");

    private Measured(Target program) {
        this.program = program;
    }

    static Measured start(Path jvm, String... options) throws IOException {
        return new Measured(Target.start(jvm, CallScenes.class, options));
    }

    Target program() {
        return program;
    }

    /** Begins to measure below roots, such as {@code Plain::root}; returns the answer. */
    String on(String... roots) throws IOException {
        return on(false, List.of(), roots);
    }

    String on(boolean eager, List<String> includes, String... roots) throws IOException {
        return on(
                CallRequest.builder()
                        .roots(Stream.of(roots).map(Measured::qualified).toList())
                        .includes(includes)
                        .eager(eager));
    }

    /** The name of a method of a scene. */
    static String qualified(String root) {
        return root.indexOf('.') < 0 && root.contains("::") ? SCENES + root : root;
    }

    String on(CallRequest.Builder request) throws IOException {
        Path place = program.newFolder();
        Files.writeString(place.resolve(CallRequest.ALIVE), "");
        request.build().write(place);
        String status = program.tell("calls=on", place);
        if (status.equals("on")) {
            folder = place;
        }
        return status;
    }

    String off() throws IOException {
        if (folder.toString().isEmpty()) {
            throw new IllegalStateException("never on");
        }
        return program.tell("calls=off", folder);
    }

    /** As another tool: gives it other roots. */
    String change(String... roots) throws IOException {
        Path place = program.newFolder();
        CallRequest.builder()
                .roots(Stream.of(roots).map(Measured::qualified).toList())
                .build()
                .write(place);
        return program.tell("calls=roots", place);
    }

    /** As another tool: ends it. */
    String end() throws IOException {
        return program.tell("calls=end", program.newFolder());
    }

    Path folder() {
        return folder;
    }

    CallSnapshot seen() throws IOException {
        return CallSnapshot.read(folder);
    }

    /** One of the facts for people. */
    long count(String name) throws IOException {
        return seen().counts().getOrDefault(name, 0L);
    }

    RegionSnapshot regions() throws IOException {
        return RegionSnapshot.read(folder);
    }

    /** How often each method was called, all contexts and threads together. */
    Map<String, Long> calls() throws IOException {
        Map<String, Long> calls = new TreeMap<>();
        CallSnapshot seen = seen();
        for (CallSnapshot.Tree tree : seen.trees()) {
            for (int node = 1; node < tree.size(); node++) {
                calls.merge(
                        name(seen.methods().get(tree.method(node))), tree.calls(node), Long::sum);
            }
        }
        return calls;
    }

    /** For how many nanoseconds a thread was running in each method itself, as it was measured. */
    Map<String, Long> runningNanos() throws IOException {
        Map<String, Long> running = new TreeMap<>();
        CallSnapshot seen = seen();
        for (CallSnapshot.Tree tree : seen.trees()) {
            for (int node = 1; node < tree.size(); node++) {
                running.merge(
                        name(seen.methods().get(tree.method(node))),
                        tree.selfNanos(node) - tree.idleNanos(node),
                        Long::sum);
            }
        }
        return running;
    }

    /** How many nanoseconds were spent in each method itself, as it was measured. */
    Map<String, Long> selfNanos() throws IOException {
        Map<String, Long> nanos = new TreeMap<>();
        CallSnapshot seen = seen();
        for (CallSnapshot.Tree tree : seen.trees()) {
            for (int node = 1; node < tree.size(); node++) {
                nanos.merge(
                        name(seen.methods().get(tree.method(node))),
                        tree.selfNanos(node),
                        Long::sum);
            }
        }
        return nanos;
    }

    /** How often each context was entered, all threads together. */
    Map<String, Long> contexts() throws IOException {
        Map<String, Long> calls = new TreeMap<>();
        CallSnapshot seen = seen();
        for (CallSnapshot.Tree tree : seen.trees()) {
            String[] paths = new String[tree.size()];
            paths[0] = "";
            for (int node = 1; node < tree.size(); node++) {
                String above = paths[tree.parent(node)];
                String name = name(seen.methods().get(tree.method(node)));
                paths[node] = above.isEmpty() ? name : above + " > " + name;
                calls.merge(paths[node], tree.calls(node), Long::sum);
            }
        }
        return calls;
    }

    /** How many objects and bytes were made of each class, by who made them. */
    Map<String, String> made() throws IOException {
        Map<String, String> made = new TreeMap<>();
        CallSnapshot seen = seen();
        for (CallSnapshot.Tree tree : seen.trees()) {
            for (CallSnapshot.Made some : tree.made()) {
                String maker = name(seen.methods().get(tree.method(some.node())));
                made.put(
                        maker + " " + some.className().replace(SCENES, ""),
                        some.objects() + " of " + some.bytes());
            }
        }
        return made;
    }

    /** What became of the objects of each class, by who made them and all threads together. */
    Map<String, Seen> survivors() throws IOException {
        Map<String, Seen> survivors = new TreeMap<>();
        CallSnapshot seen = seen();
        for (CallSnapshot.Tree tree : seen.trees()) {
            for (CallSnapshot.Made some : tree.made()) {
                String maker = name(seen.methods().get(tree.method(some.node())));
                survivors.merge(
                        maker + " " + some.className().replace(SCENES, ""),
                        Seen.of(some.survival()),
                        Seen::plus);
            }
        }
        return survivors;
    }

    /**
     * Of objects that are tracked.
     *
     * @param undecided those of which nothing is known yet
     * @param ages how many collections those have survived that are alive
     */
    record Seen(long live, long bytes, long undecided, long tracked, Set<Integer> ages) {
        private static Seen of(CallSnapshot.Survival survival) {
            Seen seen = new Seen(0, 0, 0, survival.tracked(), Set.of());
            for (CallSnapshot.Aged aged : survival.alive()) {
                seen =
                        seen.plus(
                                aged.collections() == 0
                                        ? new Seen(0, 0, aged.objects(), 0, Set.of())
                                        : new Seen(
                                                aged.objects(),
                                                aged.bytes(),
                                                0,
                                                0,
                                                Set.of(aged.collections())));
            }
            return seen;
        }

        private Seen plus(Seen other) {
            Set<Integer> both = new TreeSet<>(ages);
            both.addAll(other.ages);
            return new Seen(
                    live + other.live,
                    bytes + other.bytes,
                    undecided + other.undecided,
                    tracked + other.tracked,
                    both);
        }
    }

    private static String name(CallSnapshot.Method method) {
        return method.className().replace(SCENES, "") + "." + method.name();
    }

    @Override
    public void close() {
        program.close();
    }
}
