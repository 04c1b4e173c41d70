package dev.heatline.collector.jvm;

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.VirtualMachine;
import dev.heatline.wire.ProcessKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The lock tracer of one JVM: the agent, loaded into it and told to trace. Closing it takes
 * everything back.
 *
 * <p>What both sides need lies in a folder that only the JVM's user can enter. The agent's jar is
 * copied there, because that user may not be able to read ours.
 */
public final class LockTracer implements AutoCloseable {
    private static final Path TMP = Path.of("/tmp");
    private static final String FOLDER = "heatline-locks-";
    private static final Pattern LEFTOVER = Pattern.compile(FOLDER + "([1-9]\\d{0,9})-\\d+");
    private static final String JAR = "heatline-agent.jar";
    private static final String STATUS = "status";
    private static final String ON = "on";
    private static final String OFF = "off";

    private final Jvm jvm;
    private final Path folder;
    private final Path folderThere;

    private LockTracer(Jvm jvm, Path folder) {
        this.jvm = jvm;
        this.folder = folder;
        this.folderThere = TMP.resolve(folder.getFileName());
    }

    /**
     * Begins to trace.
     *
     * @param agentJar the agent
     * @throws JvmException if that is not possible; says why
     */
    public static LockTracer start(Jvm jvm, Path agentJar) {
        LockTracer tracer = new LockTracer(jvm, newFolder(jvm));
        try {
            Files.copy(agentJar, tracer.folder.resolve(JAR));
            tracer.give(tracer.folder.resolve(JAR));
            tracer.tell("locks=on,folder=" + tracer.folderThere, ON);
            return tracer;
        } catch (IOException e) {
            deleteFolder(tracer.folder);
            throw new JvmException("cannot trace the locks of " + jvm + ": " + e.getMessage(), e);
        } catch (RuntimeException e) {
            deleteFolder(tracer.folder);
            throw e;
        }
    }

    /** What the tracer writes. */
    public Path trace() {
        return folder.resolve("trace");
    }

    /** Ends tracing, and deletes the trace. The JVM is as it was before. */
    @Override
    public void close() {
        try {
            stop();
        } finally {
            deleteFolder(folder);
        }
    }

    /** Ends tracing. What was traced can still be read. */
    public void stop() {
        if (jvm.process().isAlive()) {
            tell("locks=off,folder=" + folderThere, OFF);
        }
    }

    private void tell(String options, String expected) {
        VirtualMachine machine = DiagnosticCommands.attached(jvm);
        try {
            machine.loadAgent(folderThere.resolve(JAR).toString(), options);
        } catch (AgentLoadException | AgentInitializationException e) {
            throw new JvmException(jvm + " does not take the lock tracer: " + e.getMessage(), e);
        } catch (IOException e) {
            throw new JvmException(jvm + " broke off: " + e.getMessage(), e);
        } finally {
            detach(machine);
        }
        String status = status();
        if (!status.equals(expected)) {
            throw new JvmException("cannot trace the locks of " + jvm + ": " + status);
        }
    }

    private static void detach(VirtualMachine machine) {
        try {
            machine.detach();
        } catch (IOException e) {
            // It has ended: nothing is left to detach from.
            return;
        }
    }

    /** Reasons cannot be thrown across processes, so the agent writes them down. */
    private String status() {
        try {
            String written = Files.readString(folder.resolve(STATUS)).strip();
            String failed = "failed: ";
            return written.startsWith(failed) ? written.substring(failed.length()) : written;
        } catch (IOException e) {
            return "the agent did not say what became of it: " + e.getMessage();
        }
    }

    private static Path newFolder(Jvm jvm) {
        Path temporary = new RunningProcess(jvm.pid()).here(TMP);
        try {
            deleteLeftovers(temporary);
            Path folder = Files.createTempDirectory(temporary, FOLDER + jvm.pid() + "-");
            new LockTracer(jvm, folder).give(folder);
            return folder;
        } catch (IOException e) {
            throw new JvmException(
                    "no folder for the lock trace of " + jvm + " can be made: " + e.getMessage(),
                    e);
        }
    }

    /**
     * Deletes what was left by readers that were killed, of JVMs that have ended since. Only our
     * own: a folder of somebody else's might be made to lead elsewhere.
     */
    private static void deleteLeftovers(Path temporary) throws IOException {
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(temporary, FOLDER + "*")) {
            for (Path folder : folders) {
                Matcher name = LEFTOVER.matcher(folder.getFileName().toString());
                if (name.matches()
                        && ProcessKey.of(Long.parseLong(name.group(1))).isEmpty()
                        && Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
                        && new RunningProcess(ProcessKey.current().pid()).owns(folder)) {
                    deleteFolder(folder);
                }
            }
        }
    }

    /** Makes a file the JVM's user's, which only root can do where that is somebody else. */
    private void give(Path file) throws IOException {
        OptionalInt user = ProcessKey.user(jvm.pid());
        if (user.isPresent() && ProcessKey.owner(file) != user.getAsInt()) {
            Files.setAttribute(file, "unix:uid", user.getAsInt());
        }
    }

    private static void deleteFolder(Path folder) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
            Files.deleteIfExists(folder);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot delete " + folder, e);
        }
    }
}
