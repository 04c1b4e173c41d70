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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What can be switched on in a JVM to see its waits for locks, and what else that comes with. */
final class LockTools {
    private LockTools() {}

    /** What {@code heatline locks} does, its reading included, from this process. */
    static final class Heatline implements Blocks.Switch, AutoCloseable {
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

        /** What it has seen so far. */
        Traced traced(int feature) {
            return new Traced(feature, waits, bytes, nanos);
        }

        @Override
        public void close() {
            reader.shutdownNow();
        }
    }

    /**
     * What was seen of a program's waits.
     *
     * @param feature the version of its JDK
     */
    record Traced(int feature, long waits, long bytes, long nanos) {
        double waitsPerSecond() {
            return waits / (nanos / 1e9);
        }

        /** Empty if there were no waits. */
        String bytesPerWait() {
            return waits == 0 ? "" : String.valueOf(bytes / waits);
        }
    }

    /** The library for this machine, in a file of its own. */
    static Path asyncProfiler() throws IOException {
        String machine = System.getProperty("os.arch").equals("aarch64") ? "arm64" : "x64";
        String name = "/linux-" + machine + "/libasyncProfiler.so";
        Path library = Files.createTempFile("libasyncProfiler", ".so");
        try (InputStream in = LockTools.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IOException("async-profiler has no " + name);
            }
            Files.write(library, in.readAllBytes());
        }
        return library;
    }

    /** Takes the classes anew when it is switched on, and again when it is switched off. */
    record Anew(Jvm jvm, Path agent) implements Blocks.Switch {
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

    /** Does what its options say. */
    record AsyncProfiler(Jvm jvm, Path library, String options) implements Blocks.Switch {
        /** Its usual lock mode: waits of ten microseconds and more, summed up in memory. */
        static final String LOCKS = "event=lock";

        @Override
        public void on() throws IOException {
            tell("start," + options);
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
    record JfrLocks(ChildJvm target) implements Blocks.Switch {
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
