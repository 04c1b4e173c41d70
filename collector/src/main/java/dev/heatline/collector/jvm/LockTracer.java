package dev.heatline.collector.jvm;

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.VirtualMachine;
import dev.heatline.wire.LockTrace;
import dev.heatline.wire.ProcessKey;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The lock tracer of one JVM: the agent, loaded into it and told to trace. Closing it takes
 * everything back.
 *
 * <p>Both sides share a folder. It is ours and the JVM's at the same time, which only works between
 * processes of one user that see the same files: a folder given to somebody else could be made to
 * lead anywhere.
 */
public final class LockTracer implements AutoCloseable {
    private static final Path TMP = Path.of("/tmp");
    private static final String FOLDER = "heatline-locks-";
    private static final Pattern LEFTOVER = Pattern.compile(FOLDER + "([1-9]\\d{0,9})-\\d+");
    private static final String ON = "on";
    private static final String OFF = "off";

    private final Jvm jvm;
    private final Path agentJar;
    private final Path folder;
    private boolean on;

    private LockTracer(Jvm jvm, Path agentJar, Path folder) {
        this.jvm = jvm;
        this.agentJar = agentJar;
        this.folder = folder;
    }

    /**
     * Begins to trace.
     *
     * @param agentJar the agent
     * @throws JvmException if that is not possible; says why
     */
    public static LockTracer start(Jvm jvm, Path agentJar) {
        requireNear(jvm);
        LockTracer tracer = new LockTracer(jvm, agentJar.toAbsolutePath(), newFolder(jvm));
        try {
            tracer.tell("locks=on,folder=" + tracer.folder, ON);
            tracer.on = true;
            return tracer;
        } catch (RuntimeException e) {
            deleteFolder(tracer.folder);
            throw e;
        }
    }

    private static void requireNear(Jvm jvm) {
        ProcessKey here = ProcessKey.current();
        if (!ProcessKey.user(jvm.pid()).equals(ProcessKey.user(here.pid()))) {
            throw new JvmException(
                    "cannot trace the locks of "
                            + jvm
                            + ", which is another user's: run heatline as "
                            + jvm.user());
        }
        if (!new RunningProcess(jvm.pid()).here(TMP).equals(TMP)) {
            throw new JvmException(
                    "cannot trace the locks of "
                            + jvm
                            + ", which has a /tmp of its own: run heatline in its container");
        }
    }

    /** What the tracer writes. */
    public Path trace() {
        return trace(folder);
    }

    private static Path trace(Path folder) {
        return folder.resolve("trace");
    }

    /** Whether somebody traces the locks of a JVM now, as far as this user can see. */
    public static boolean isOnIn(Jvm jvm) {
        String folders = FOLDER + jvm.pid() + "-*";
        try (DirectoryStream<Path> found = Files.newDirectoryStream(TMP, folders)) {
            for (Path folder : found) {
                if (isOn(trace(folder), jvm.pid())) {
                    return true;
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            // A folder that cannot be listed holds nothing for this user.
            return false;
        }
        return false;
    }

    /** What cannot be read is another user's, or was deleted just now. */
    private static boolean isOn(Path trace, long pid) {
        if (!Files.isRegularFile(trace, LinkOption.NOFOLLOW_LINKS) || !Files.isReadable(trace)) {
            return false;
        }
        try (InputStream in = Files.newInputStream(trace)) {
            ByteBuffer header =
                    ByteBuffer.wrap(in.readNBytes(LockTrace.HEADER_SIZE))
                            .order(ByteOrder.LITTLE_ENDIAN);
            return header.capacity() == LockTrace.HEADER_SIZE
                    && header.getLong(0) == LockTrace.MAGIC
                    && header.getInt(LockTrace.PID) == pid
                    && header.getInt(LockTrace.STATE) == LockTrace.STATE_ON;
        } catch (IOException e) {
            return false;
        }
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
        if (on && jvm.process().isAlive()) {
            on = false;
            tell("locks=off,folder=" + folder, OFF);
        }
    }

    private void tell(String options, String expected) {
        VirtualMachine machine = DiagnosticCommands.attached(jvm);
        try {
            machine.loadAgent(agentJar.toString(), options);
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
            String written = Files.readString(folder.resolve("status")).strip();
            String failed = "failed: ";
            return written.startsWith(failed) ? written.substring(failed.length()) : written;
        } catch (IOException e) {
            return "the agent did not say what became of it: " + e.getMessage();
        }
    }

    private static Path newFolder(Jvm jvm) {
        deleteLeftovers();
        try {
            return Files.createTempDirectory(TMP, FOLDER + jvm.pid() + "-");
        } catch (IOException e) {
            throw new JvmException(
                    "no folder for the lock trace of " + jvm + " can be made: " + e.getMessage(),
                    e);
        }
    }

    /** Deletes what was left by our own readers that were killed, of JVMs that have ended since. */
    private static void deleteLeftovers() {
        RunningProcess us = new RunningProcess(ProcessKey.current().pid());
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(TMP, FOLDER + "*")) {
            for (Path left : folders) {
                Matcher name = LEFTOVER.matcher(left.getFileName().toString());
                if (name.matches()
                        && ProcessKey.of(Long.parseLong(name.group(1))).isEmpty()
                        && Files.isDirectory(left, LinkOption.NOFOLLOW_LINKS)
                        && us.owns(left)) {
                    deleteFolder(left);
                }
            }
        } catch (IOException e) {
            // It stays for the next time.
            return;
        }
    }

    private static void deleteFolder(Path folder) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
            Files.deleteIfExists(folder);
        } catch (IOException e) {
            // What is left is deleted when the JVM has ended.
            return;
        }
    }
}
