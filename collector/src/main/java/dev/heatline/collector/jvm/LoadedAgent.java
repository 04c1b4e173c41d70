package dev.heatline.collector.jvm;

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.VirtualMachine;
import dev.heatline.wire.ProcessKey;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The agent in a JVM that runs, and the folder through which both speak. Closing it deletes the
 * folder.
 *
 * <p>The folder is ours and the JVM's at the same time, which only works between processes of one
 * user that see the same files: a folder given to somebody else could be made to lead anywhere.
 */
final class LoadedAgent implements AutoCloseable {
    static final Path TMP = Path.of("/tmp");

    private static final String STATUS = "status";

    private final Jvm jvm;
    private final Path agentJar;
    private final String task;
    private final Path folder;

    private LoadedAgent(Jvm jvm, Path agentJar, String task, Path folder) {
        this.jvm = jvm;
        this.agentJar = agentJar;
        this.task = task;
        this.folder = folder;
    }

    /**
     * Makes the folder; the agent is loaded when it is first told something.
     *
     * @param agentJar the agent
     * @param prefix of the folder's name
     * @param task what it is to do, for people, such as {@code trace the locks of}
     * @throws JvmException if the JVM is too far away for that; says why
     */
    static LoadedAgent of(Jvm jvm, Path agentJar, String prefix, String task) {
        requireNear(jvm, task);
        Path folder = newFolder(jvm.pid(), prefix, task + " " + jvm);
        return new LoadedAgent(jvm, agentJar.toAbsolutePath(), task, folder);
    }

    /**
     * The same for a JVM that was started with the agent.
     *
     * @param folder that the agent was told, made by {@link #newFolder}
     */
    static LoadedAgent startedWith(Jvm jvm, Path agentJar, Path folder, String task) {
        return new LoadedAgent(jvm, agentJar.toAbsolutePath(), task, folder);
    }

    /** Whether the agent could be loaded there. */
    static boolean isNear(Jvm jvm) {
        try {
            requireNear(jvm, "");
            return true;
        } catch (JvmException e) {
            return false;
        }
    }

    private static void requireNear(Jvm jvm, String task) {
        ProcessKey here = ProcessKey.current();
        if (!ProcessKey.user(jvm.pid()).equals(ProcessKey.user(here.pid()))) {
            throw new JvmException(
                    "cannot "
                            + task
                            + " "
                            + jvm
                            + ", which is another user's: run heatline as "
                            + jvm.user());
        }
        if (!new RunningProcess(jvm.pid()).here(TMP).equals(TMP)) {
            throw new JvmException(
                    "cannot "
                            + task
                            + " "
                            + jvm
                            + ", which has a /tmp of its own: run heatline in its container");
        }
    }

    Path folder() {
        return folder;
    }

    /**
     * Tells the agent what to do.
     *
     * @param expected what it answers when it did
     * @throws JvmException with what it answers otherwise
     */
    void tell(String options, String expected) {
        VirtualMachine machine = DiagnosticCommands.attached(jvm);
        try {
            machine.loadAgent(agentJar.toString(), options);
        } catch (AgentLoadException | AgentInitializationException e) {
            throw new JvmException(jvm + " does not take the agent: " + e.getMessage(), e);
        } catch (IOException e) {
            throw new JvmException(
                    jvm + (jvm.isEnding() ? " has ended" : " broke off: " + e.getMessage()), e);
        } finally {
            detach(machine);
        }
        requireAnswer(expected);
    }

    /**
     * Takes what the agent answered.
     *
     * @throws JvmException if that is something else
     */
    void requireAnswer(String expected) {
        String status = status();
        if (!status.equals(expected)) {
            throw new JvmException("cannot " + task + " " + jvm + ": " + status);
        }
    }

    /** Whether a folder that somebody shares with this JVM is such, as far as this user can see. */
    static boolean anyFolder(Jvm jvm, String prefix, Predicate<Path> such) {
        try (DirectoryStream<Path> found =
                Files.newDirectoryStream(TMP, prefix + jvm.pid() + "-*")) {
            for (Path folder : found) {
                if (such.test(folder)) {
                    return true;
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            // A folder that cannot be listed holds nothing for this user.
            return false;
        }
        return false;
    }

    /** Whether the agent whose folder this is has answered. */
    static boolean hasAnswered(Path folder) {
        return Files.exists(folder.resolve(STATUS));
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

    /**
     * Makes a folder for both sides.
     *
     * @param pid of a process with which it may be forgotten
     * @param task what it is for, for people
     */
    static Path newFolder(long pid, String prefix, String task) {
        deleteLeftovers(prefix);
        try {
            return Files.createTempDirectory(TMP, prefix + pid + "-");
        } catch (IOException e) {
            throw new JvmException(
                    "cannot " + task + ": no folder can be made: " + e.getMessage(), e);
        }
    }

    /** Deletes what was left by our own readers that were killed, of JVMs that have ended since. */
    private static void deleteLeftovers(String prefix) {
        Pattern leftover = Pattern.compile(Pattern.quote(prefix) + "([1-9]\\d{0,9})-\\d+");
        RunningProcess us = new RunningProcess(ProcessKey.current().pid());
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(TMP, prefix + "*")) {
            for (Path left : folders) {
                Matcher name = leftover.matcher(left.getFileName().toString());
                if (name.matches()
                        && ProcessKey.of(Long.parseLong(name.group(1))).isEmpty()
                        && Files.isDirectory(left, LinkOption.NOFOLLOW_LINKS)
                        && us.owns(left)) {
                    delete(left);
                }
            }
        } catch (IOException e) {
            // It stays for the next time.
            return;
        }
    }

    @Override
    public void close() {
        delete(folder);
    }

    /** Deletes a folder and the files in it. */
    static void delete(Path folder) {
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
