package dev.heatline.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A JVM that is measured from outside, and talked to in lines. */
final class ChildJvm implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 30;

    /** Of each generation; classes are not in the heap. */
    private static final Pattern USED =
            Pattern.compile("^(?!\\s*(?:Metaspace|class space)).* used (\\d+)K", Pattern.MULTILINE);

    private final Path jdk;
    private final Process process;
    private final BufferedReader answers;
    private final PrintWriter orders;

    ChildJvm(Path jdk, String classPath, List<String> options, List<String> program)
            throws IOException {
        this(List.of(), jdk, classPath, options, program);
    }

    /**
     * @param under what starts the command that follows it
     * @param jdk home of the JDK that runs it
     * @param options of the JVM
     * @param program main class and arguments
     */
    ChildJvm(
            List<String> under,
            Path jdk,
            String classPath,
            List<String> options,
            List<String> program)
            throws IOException {
        this(jdk, command(under, jdk, classPath, options, program));
    }

    private static List<String> command(
            List<String> under,
            Path jdk,
            String classPath,
            List<String> options,
            List<String> program) {
        List<String> command = new ArrayList<>(under);
        command.add(jdk.resolve("bin/java").toString());
        command.addAll(options);
        command.add("-cp");
        command.add(classPath);
        command.addAll(program);
        return command;
    }

    /**
     * @param jdk home of the JDK that runs it
     * @param command that becomes the JVM
     */
    ChildJvm(Path jdk, List<String> command) throws IOException {
        this.jdk = jdk;
        process =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        answers = process.inputReader(StandardCharsets.UTF_8);
        orders = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true);
    }

    /** The JDK this runs on. */
    static Path ownJdk() {
        return Path.of(System.getProperty("java.home"));
    }

    /** The class path this runs on. */
    static String ownClassPath() {
        return System.getProperty("java.class.path");
    }

    long pid() {
        return process.pid();
    }

    /** Gives an order and waits for the line that answers it. */
    String ask(String order) throws IOException {
        orders.println(order);
        return answer();
    }

    /** Gives an order and waits for the line that says it is done. */
    void order(String order, String done) throws IOException {
        tell(order);
        await(done);
    }

    /** Gives an order. */
    void tell(String order) {
        orders.println(order);
    }

    /**
     * Waits for the line that says it is done. Other lines are passed over: a JVM logs its warnings
     * to the same stream.
     */
    void await(String done) throws IOException {
        String line = answer();
        while (!line.equals(done)) {
            line = answer();
        }
    }

    /** Waits for the next line. */
    String answer() throws IOException {
        String line = answers.readLine();
        if (line == null) {
            throw new IOException("the JVM that is measured has ended");
        }
        return line;
    }

    /** Fails if it has ended, and says how. */
    void requireAlive() {
        if (!process.isAlive()) {
            throw new IllegalStateException("a JVM ended with " + process.exitValue());
        }
    }

    /** CPU time of all its threads so far. */
    long cpuNanos() {
        return CpuClock.nanos(process.pid());
    }

    /** Memory it has now. */
    long residentKilobytes() throws IOException {
        return status("VmRSS:");
    }

    /** The most memory it ever had. */
    long mostResidentKilobytes() throws IOException {
        return status("VmHWM:");
    }

    private long status(String name) throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/" + pid() + "/status"))) {
            if (line.startsWith(name)) {
                return Long.parseLong(line.substring(name.length()).replaceAll("\\D", ""));
            }
        }
        throw new IOException("no " + name + " of process " + pid());
    }

    /** What its heap holds, garbage included. */
    long heapKilobytes() throws IOException {
        String heap = jcmd("GC.heap_info");
        Matcher used = USED.matcher(heap);
        long all = 0;
        while (used.find()) {
            all += Long.parseLong(used.group(1));
        }
        if (all == 0) {
            throw new IOException("no use of the heap in " + heap);
        }
        return all;
    }

    /** Its answer to a diagnostic command. */
    String jcmd(String... words) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(jdk.resolve("bin/jcmd").toString());
        command.add(String.valueOf(pid()));
        command.addAll(List.of(words));
        Process jcmd = new ProcessBuilder(command).redirectErrorStream(true).start();
        String answer = new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (jcmd.waitFor() != 0) {
                throw new IOException(command + " failed: " + answer);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(command + " was interrupted", e);
        }
        return answer;
    }

    /** Lets it end by itself, and ends it when it does not. */
    @Override
    public void close() {
        orders.close();
        process.destroy();
        try {
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
