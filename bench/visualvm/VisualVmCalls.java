import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.graalvm.visualvm.lib.jfluid.ProfilerClient;
import org.graalvm.visualvm.lib.jfluid.ProfilerEngineSettings;
import org.graalvm.visualvm.lib.jfluid.TargetAppRunner;
import org.graalvm.visualvm.lib.jfluid.client.AppStatusHandler;
import org.graalvm.visualvm.lib.jfluid.client.ClientUtils;
import org.graalvm.visualvm.lib.jfluid.client.ProfilingPointsProcessor;
import org.graalvm.visualvm.lib.jfluid.client.RuntimeProfilingPoint;
import org.graalvm.visualvm.lib.jfluid.filters.GenericFilter;
import org.graalvm.visualvm.lib.jfluid.filters.JavaTypeFilter;
import org.graalvm.visualvm.lib.jfluid.global.CommonConstants;
import org.graalvm.visualvm.lib.jfluid.global.Platform;
import org.graalvm.visualvm.lib.jfluid.results.ProfilingResultsDispatcher;
import org.graalvm.visualvm.lib.jfluid.results.cpu.CPUCallGraphBuilder;
import org.graalvm.visualvm.lib.jfluid.results.cpu.FlatProfileBuilder;
import org.graalvm.visualvm.lib.jfluid.results.cpu.FlatProfileContainer;
import org.graalvm.visualvm.lib.jfluid.utils.MiscUtils;

/**
 * Calls below a method of a running JVM, counted and timed by VisualVM's engine, without VisualVM:
 * what its "Profile CPU" does with a root method, every call recorded, methods changed when they
 * are first called.
 *
 * <p>{@code java --class-path VISUALVM_HOME/modules/org-graalvm-visualvm-lib-jfluid.jar
 * VisualVmCalls.java VISUALVM_HOME PID 'pkg.Class.method(I)V' SECONDS}, by a JDK that the engine
 * knows (VisualVM 2.1.5: up to 19). VISUALVM_HOME is the folder in which {@code
 * lib/jfluid-server-15.jar} is. Methods that do nothing but get or set a field are measured, too,
 * which VisualVM leaves out unless it is told; those of the JDK are not.
 */
public final class VisualVmCalls {
    private static final String JDK = "java.** javax.** jdk.** sun.** com.sun.**";
    private static final int DYNAMIC_ATTACH = 2;

    /** The engine counts what it was sent on a thread of its own, up to fifteen buffers later. */
    private static final long QUEUE_MILLIS = 3000;

    private final Path libraries;
    private final String pid;
    private final ProfilerEngineSettings settings = new ProfilerEngineSettings();
    private final TargetAppRunner runner =
            new TargetAppRunner(settings, console(AppStatusHandler.class), new NoPoints());
    private final ProfilerClient client = runner.getProfilerClient();
    private final CPUCallGraphBuilder tree = new CPUCallGraphBuilder();
    private final FlatProfileBuilder methods = new FlatProfileBuilder();

    private VisualVmCalls(Path home, String pid) throws IOException {
        this.libraries = home.resolve("lib").toAbsolutePath();
        this.pid = pid;
        settings.initialize(libraries.toString());
        settings.setCPUProfilingType(CommonConstants.CPU_INSTR_FULL);
        settings.setInstrScheme(CommonConstants.INSTRSCHEME_LAZY);
        settings.setInstrumentGetterSetterMethods(true);
        settings.setInstrumentEmptyMethods(true);
        settings.setInstrumentationFilter(new JavaTypeFilter(JDK, GenericFilter.TYPE_EXCLUSIVE));
        settings.setPortNo(freePort());
    }

    public static void main(String[] args) throws Exception {
        if (args.length != 4 || args[2].indexOf('(') < 0) {
            System.err.println("VisualVmCalls VISUALVM_HOME PID 'pkg.Class.method(I)V' SECONDS");
            System.exit(2);
        }
        // Where the engine keeps its calibration; this one is made anew each time.
        Path calibration = Path.of(System.getProperty("java.io.tmpdir"), "visualvm-calls");
        System.setProperty("nbprofiler.home", Files.createDirectories(calibration).toString());
        VisualVmCalls calls = new VisualVmCalls(Path.of(args[0]), args[1]);
        boolean measured = calls.calibrate() && calls.attach(args[2]);
        if (measured) {
            Thread.sleep(1000 * Long.parseLong(args[3]));
            FlatProfileContainer profile = calls.results();
            calls.detach();
            print(profile);
        }
        // The engine's threads are no daemons.
        System.exit(measured ? 0 : 1);
    }

    /** What its hooks take, in a JVM of the same kind, as VisualVM does before the first use. */
    private boolean calibrate() throws IOException {
        Path java = Path.of("/proc", pid, "exe").toRealPath();
        settings.setTargetJVMExeFile(java.toString());
        settings.setTargetJDKVersionString(MiscUtils.getJDKVersionForJVMExeFile(java.toFile()));
        settings.setSystemArchitecture(Platform.getSystemArchitecture());
        settings.setSeparateConsole(false);
        say("JDK of the target, as the engine names it: " + settings.getTargetJDKVersionString());
        // In a JVM that it does not know, calibration would wait for an answer for ever.
        return settings.getTargetJDKVersionString().equals(CommonConstants.JDK_UNSUPPORTED_STRING)
                || runner.calibrateInstrumentationCode();
    }

    private boolean attach(String root) throws Exception {
        int descriptor = root.indexOf('(');
        int dot = root.lastIndexOf('.', descriptor);
        ClientUtils.SourceCodeSelection[] roots = {
            new ClientUtils.SourceCodeSelection(
                    root.substring(0, dot),
                    root.substring(dot + 1, descriptor),
                    root.substring(descriptor))
        };
        settings.setInstrumentationRootMethods(roots);
        VirtualMachine jvm = VirtualMachine.attach(pid);
        try {
            jvm.loadAgent(
                    libraries.resolve("jfluid-server-15.jar").toString(),
                    String.valueOf(settings.getPortNo()));
        } finally {
            jvm.detach();
        }
        // After calibration, whose end takes all listeners away.
        ProfilingResultsDispatcher.getDefault().addListener(tree);
        tree.addListener(methods);
        methods.setContext(client, null, null);
        tree.startup(client);
        // Not connected yet: the engine keeps this until it is.
        client.initiateRecursiveCPUProfInstrumentation(roots);
        boolean attached =
                runner.initiateSession(DYNAMIC_ATTACH, false) && runner.attachToTargetVM();
        say(attached ? "attached" : "not attached");
        return attached;
    }

    /** What was called so far. */
    private FlatProfileContainer results() throws Exception {
        client.forceObtainedResultsDump(false, 5);
        Thread.sleep(QUEUE_MILLIS);
        return methods.createFlatProfile();
    }

    private void detach() throws Exception {
        runner.prepareDetachFromTargetJVM();
        client.removeAllInstrumentation(false);
        runner.detachFromTargetJVM();
        say("detached");
    }

    private static void print(FlatProfileContainer profile) {
        if (profile == null) {
            say("no results");
            return;
        }
        Set<String> lines = new TreeSet<>();
        for (int row = 0; row < profile.getNRows(); row++) {
            int calls = profile.getNInvocationsAtRow(row);
            double netNanos = 1000.0 * profile.getTimeInMcs0AtRow(row);
            lines.add(
                    String.format(
                            Locale.ROOT,
                            "| %s | %d | %.2f |",
                            profile.getMethodNameAtRow(row),
                            calls,
                            netNanos / calls));
        }
        System.out.println("| method | calls | net ns per call |\n| --- | --- | --- |");
        lines.forEach(System.out::println);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static void say(String message) {
        System.err.println("visualvm: " + message);
    }

    /** What the engine would show in windows is printed; what it asks is denied. */
    private static <T> T console(Class<T> windows) {
        InvocationHandler printing =
                (proxy, method, values) -> {
                    if (method.getName().startsWith("display") && values != null) {
                        say(method.getName().substring("display".length()) + ": " + values[0]);
                        Stream.of(values).skip(1).forEach(System.err::println);
                    }
                    if (method.getReturnType() == AppStatusHandler.AsyncDialog.class) {
                        return console(AppStatusHandler.AsyncDialog.class);
                    }
                    return method.getReturnType() == boolean.class ? false : null;
                };
        return windows.cast(
                Proxy.newProxyInstance(
                        windows.getClassLoader(), new Class<?>[] {windows}, printing));
    }

    /** The engine can be told to do something where a line is reached; here it is not. */
    private static final class NoPoints extends ProfilingPointsProcessor {
        @Override
        public void profilingPointHit(RuntimeProfilingPoint.HitEvent event) {}

        @Override
        public void timeAdjust(int threadId, long elapsedDiff, long cpuDiff) {}

        @Override
        public void init(Object project) {}

        @Override
        public RuntimeProfilingPoint[] getSupportedProfilingPoints() {
            return new RuntimeProfilingPoint[0];
        }
    }
}
