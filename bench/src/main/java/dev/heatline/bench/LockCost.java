package dev.heatline.bench;

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import dev.heatline.collector.jvm.Jvm;
import dev.heatline.collector.locks.LockAnalysis;
import dev.heatline.collector.locks.LockWatch;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What tracing locks costs the JVM whose locks are traced, beside async-profiler's lock mode and
 * JFR's events of waiting without a threshold: CPU time and elapsed time for equal work. Before
 * anything else was switched on in the JVM: what is left of it when it is off again, beside how
 * much the same blocks differ by themselves from one series to the next, and beside what is left in
 * another JVM that has only taken all classes of the application anew, which are more than those
 * that are traced.
 *
 * <p>{@code java -jar bench/target/heatline-bench.jar locks} with the options of a {@link
 * BlockPlan}
 */
final class LockCost {
    private static final List<String> WORKLOADS =
            List.of(
                    "h2",
                    "lucene",
                    "xslt",
                    "compiler",
                    "shop",
                    "shop-crowd",
                    "xslt-crowd",
                    "contended",
                    "storm");

    private LockCost() {}

    static void run(String[] args) throws IOException {
        BlockPlan plan = BlockPlan.of(args, 30, WORKLOADS);
        System.out.printf("%s; nothing on = 1%n%n", plan);
        System.out.println(
                "| JDK | workload | waits/s | bytes each | time | Heatline | async-profiler, lock"
                        + " | JFR, no threshold | nothing (null) | off again | never on (null)"
                        + " | all classes taken anew |");
        System.out.println(
                "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |");
        Path library = asyncProfiler();
        Path unchanged = Workloads.agent("Unchanged");
        try {
            for (Path jdk : plan.jdks()) {
                for (String workload : plan.workloads()) {
                    Leftover anew = anew(plan, jdk, workload, unchanged);
                    try (Blocks blocks = Blocks.start(plan, jdk, workload);
                            Heatline heatline = new Heatline(blocks.jvm())) {
                        measure(blocks, heatline, workload, library, anew);
                    }
                }
            }
        } finally {
            Files.delete(library);
            Files.delete(unchanged);
        }
    }

    /** What was measured before something was switched on for the first time, and after that. */
    private record Leftover(Blocks.Series before, Blocks.Series after) {
        static Leftover of(Blocks.Switch what, Blocks blocks) throws IOException {
            Blocks.Series before = blocks.measure(Blocks.NOTHING).getFirst();
            what.on();
            blocks.goOn(Blocks.WARMUP);
            what.off();
            blocks.goOn(Blocks.WARMUP);
            return new Leftover(before, blocks.measure(Blocks.NOTHING).getFirst());
        }

        String cpu() {
            return after.cpuOver(before);
        }

        String elapsed() {
            return after.elapsedOver(before);
        }
    }

    private static Leftover anew(BlockPlan plan, Path jdk, String workload, Path agent)
            throws IOException {
        try (Blocks blocks = Blocks.start(plan, jdk, workload)) {
            blocks.warmUp();
            return Leftover.of(new Anew(blocks.jvm(), agent), blocks);
        }
    }

    private static void measure(
            Blocks blocks, Heatline heatline, String workload, Path library, Leftover anew)
            throws IOException {
        blocks.warmUp();
        Blocks.Series before = blocks.measure(Blocks.NOTHING).getFirst();
        Leftover left = Leftover.of(heatline, blocks);
        Leftover never = new Leftover(before, left.before);
        List<Blocks.Series> all =
                blocks.measure(
                        Blocks.NOTHING,
                        heatline,
                        new AsyncProfiler(blocks.jvm(), library),
                        new JfrLocks(blocks.target()),
                        Blocks.NOTHING);
        Blocks.Series nothing = all.getFirst();
        String line = "| %d | %s | %,.0f | %s | %s | %s | %s | %s | %s | %s | %s | %s |%n";
        System.out.printf(
                Locale.ROOT,
                line,
                blocks.feature(),
                workload,
                heatline.waits / (heatline.nanos / 1e9),
                heatline.waits == 0 ? "" : heatline.bytes / heatline.waits,
                "CPU",
                all.get(1).cpuOver(nothing),
                all.get(2).cpuOver(nothing),
                all.get(3).cpuOver(nothing),
                all.get(4).cpuOver(nothing),
                left.cpu(),
                never.cpu(),
                anew.cpu());
        System.out.printf(
                Locale.ROOT,
                line.replace("%,.0f", "%s"),
                blocks.feature(),
                workload,
                "",
                "",
                "elapsed",
                all.get(1).elapsedOver(nothing),
                all.get(2).elapsedOver(nothing),
                all.get(3).elapsedOver(nothing),
                all.get(4).elapsedOver(nothing),
                left.elapsed(),
                never.elapsed(),
                anew.elapsed());
    }

    /** What {@code heatline locks} does, its reading included, from this process. */
    private static final class Heatline implements Blocks.Switch, AutoCloseable {
        private static final long LOOK_MILLIS = 200;

        private final Jvm jvm;

        /** A trace is read by the thread that opened it. */
        private final ScheduledExecutorService reader =
                Executors.newSingleThreadScheduledExecutor();

        private @Nullable LockWatch watch;
        private Future<?> looks = CompletableFuture.completedFuture(null);
        private long since;

        /** Seen in all blocks so far. */
        private long waits;

        private long bytes;
        private long nanos;

        Heatline(Jvm jvm) {
            this.jvm = jvm;
        }

        @Override
        public void on() throws IOException {
            LockWatch started = await(reader.submit(() -> LockWatch.start(jvm, agent())));
            since = System.nanoTime();
            watch = started;
            looks =
                    reader.scheduleWithFixedDelay(
                            started::look, 0, LOOK_MILLIS, TimeUnit.MILLISECONDS);
        }

        private static Path agent() {
            return Workloads.project().resolve("agent/target/heatline-agent.jar");
        }

        @Override
        public void off() throws IOException {
            LockWatch started = watch;
            if (started == null) {
                return;
            }
            watch = null;
            if (looks.isDone()) {
                // It was not to end by itself.
                await(looks);
            }
            looks.cancel(false);
            await(reader.submit(() -> end(started)));
        }

        private void end(LockWatch started) {
            try (started) {
                started.stop();
                LockAnalysis analysis = started.analysis();
                waits += analysis.contentions();
                bytes += analysis.bytes();
                nanos += System.nanoTime() - since;
            }
        }

        private static <T> T await(Future<T> result) throws IOException {
            try {
                return result.get();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            } catch (ExecutionException e) {
                throw new IOException("locks cannot be traced: " + e.getCause(), e);
            }
        }

        @Override
        public void close() {
            reader.shutdownNow();
        }
    }

    /** The library for this machine, in a file of its own. */
    private static Path asyncProfiler() throws IOException {
        String machine = System.getProperty("os.arch").equals("aarch64") ? "arm64" : "x64";
        String name = "/linux-" + machine + "/libasyncProfiler.so";
        Path library = Files.createTempFile("libasyncProfiler", ".so");
        try (InputStream in = LockCost.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IOException("async-profiler has no " + name);
            }
            Files.write(library, in.readAllBytes());
        }
        return library;
    }

    /** Takes the classes anew when it is switched on, and again when it is switched off. */
    private record Anew(Jvm jvm, Path agent) implements Blocks.Switch {
        @Override
        public void on() throws IOException {
            load(jvm, machine -> machine.loadAgent(agent.toString()));
        }

        @Override
        public void off() throws IOException {
            on();
        }
    }

    private interface Loading {
        void into(VirtualMachine machine)
                throws IOException, AgentLoadException, AgentInitializationException;
    }

    private static void load(Jvm jvm, Loading agent) throws IOException {
        try {
            VirtualMachine machine = VirtualMachine.attach(String.valueOf(jvm.pid()));
            try {
                agent.into(machine);
            } finally {
                machine.detach();
            }
        } catch (AttachNotSupportedException
                | AgentLoadException
                | AgentInitializationException e) {
            throw new IOException("an agent cannot be loaded into " + jvm.pid(), e);
        }
    }

    /** Its usual lock mode: waits of ten microseconds and more, summed up in memory. */
    private record AsyncProfiler(Jvm jvm, Path library) implements Blocks.Switch {
        @Override
        public void on() throws IOException {
            tell("start,event=lock");
        }

        @Override
        public void off() throws IOException {
            tell("stop");
        }

        private void tell(String what) throws IOException {
            load(jvm, machine -> machine.loadAgentPath(library.toString(), what));
        }
    }

    /** Every wait for a monitor and every park, with its stack. */
    private record JfrLocks(ChildJvm target) implements Blocks.Switch {
        @Override
        public void on() throws IOException {
            target.jcmd(
                    "JFR.start",
                    "name=locks",
                    "settings=none",
                    "+jdk.JavaMonitorEnter#enabled=true",
                    "+jdk.JavaMonitorEnter#threshold=0ms",
                    "+jdk.JavaMonitorEnter#stackTrace=true",
                    "+jdk.ThreadPark#enabled=true",
                    "+jdk.ThreadPark#threshold=0ms",
                    "+jdk.ThreadPark#stackTrace=true");
        }

        @Override
        public void off() throws IOException {
            target.jcmd("JFR.stop", "name=locks");
        }
    }
}
