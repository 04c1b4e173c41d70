package dev.heatline.collector.jvm;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/**
 * The diagnostic commands of one JVM, as {@code jcmd} gives them: the only way to its recorder that
 * loads nothing into it. The attach API has the method, but not among its public ones: the launcher
 * exports it to us ({@code --add-exports jdk.attach/sun.tools.attach=ALL-UNNAMED}).
 */
final class DiagnosticCommands implements AutoCloseable {
    private static final String HOTSPOT = "sun.tools.attach.HotSpotVirtualMachine";

    /** JVMs before 24 take no longer commands. */
    private static final int MAX_LENGTH = 1024;

    /** Some fifty recordings with all their settings. */
    private static final int MAX_ANSWER = 1 << 20;

    private static final int BLOCK = 8 << 10;

    private final Jvm jvm;
    private final VirtualMachine machine;

    private DiagnosticCommands(Jvm jvm, VirtualMachine machine) {
        this.jvm = jvm;
        this.machine = machine;
    }

    /**
     * @throws JvmException if it cannot be attached to, or is another process by now
     */
    static DiagnosticCommands of(Jvm jvm) {
        return new DiagnosticCommands(jvm, attached(jvm));
    }

    /** The JVM itself, to be detached from; likewise. */
    static VirtualMachine attached(Jvm jvm) {
        jvm.obstacle()
                .ifPresent(
                        why -> {
                            throw new JvmException(jvm + " " + why);
                        });
        if (!jvm.process().isAlive()) {
            throw new JvmException(jvm + " has ended");
        }
        try {
            return attach(jvm);
        } catch (AttachNotSupportedException e) {
            throw JvmException.unanswered("cannot attach to " + jvm + ": " + e.getMessage(), e);
        } catch (IOException e) {
            throw new JvmException("cannot attach to " + jvm + ": " + e.getMessage(), e);
        }
    }

    private static VirtualMachine attach(Jvm jvm) throws AttachNotSupportedException, IOException {
        String pid = String.valueOf(jvm.pid());
        try {
            return VirtualMachine.attach(pid);
        } catch (IOException e) {
            if (!deleteLeftover(jvm)) {
                throw e;
            }
            return VirtualMachine.attach(pid);
        }
    }

    /**
     * Deletes the socket that somebody else's JVM of the same pid left when it was killed. A JVM
     * deletes that of its own user when it starts; another's it cannot, nor listen in its place.
     */
    private static boolean deleteLeftover(Jvm jvm) {
        RunningProcess process = new RunningProcess(jvm.pid());
        Path socket = process.here(Path.of("/tmp")).resolve(".java_pid" + process.pidThere());
        if (!Files.exists(socket, LinkOption.NOFOLLOW_LINKS) || process.owns(socket)) {
            return false;
        }
        try {
            return Files.deleteIfExists(socket);
        } catch (IOException e) {
            throw new JvmException(
                    "cannot attach to " + jvm + ": " + socket + " is another user's: delete it", e);
        }
    }

    /**
     * What the JVM answers to a command.
     *
     * @throws JvmException if it fails, or answers without end
     */
    String run(String command) {
        return run(command, MAX_ANSWER);
    }

    /** What may be longer than usual. */
    String run(String command, int maxBytes) {
        if (command.length() > MAX_LENGTH) {
            throw new IllegalArgumentException("too long for a JVM: " + command);
        }
        try (InputStream answer = execute(command)) {
            return text(answer, command, maxBytes);
        } catch (IOException e) {
            throw new JvmException(jvm + " failed to " + command + ": " + e.getMessage(), e);
        }
    }

    /** Into the beginning of an array only: this stream counts wrongly anywhere else. */
    private String text(InputStream answer, String command, int maxBytes) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        byte[] some = new byte[BLOCK];
        for (int length = answer.read(some); length > 0; length = answer.read(some)) {
            bytes.write(some, 0, length);
            if (bytes.size() > maxBytes) {
                throw new JvmException(
                        jvm + " answers with more than " + maxBytes + " bytes to " + command);
            }
        }
        return bytes.toString(UTF_8);
    }

    private InputStream execute(String command) throws IOException {
        try {
            return (InputStream)
                    Class.forName(HOTSPOT)
                            .getMethod("executeJCmd", String.class)
                            .invoke(machine, command);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof IOException failed) {
                throw failed;
            }
            throw new IllegalStateException(e.getCause());
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(
                    "start with --add-exports jdk.attach/sun.tools.attach=ALL-UNNAMED", e);
        } catch (ReflectiveOperationException e) {
            throw new JvmException("this Java cannot give commands to other JVMs: use a JDK", e);
        }
    }

    @Override
    public void close() {
        try {
            machine.detach();
        } catch (IOException e) {
            // It has ended: nothing is left to detach from.
            return;
        }
    }
}
