package dev.heatline.cli;

import dev.heatline.collector.jvm.Jvm;
import dev.heatline.collector.jvm.Jvms;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Parameters;

/** The JVM that a command is about. */
final class TargetJvm {
    private static final String WHERE = "; heatline list shows those that this user can see";

    @Parameters(
            index = "0",
            paramLabel = "TARGET",
            description = {
                "The JVM: its pid, or a part of its main class, jar or application that no other has."
            })
    private String target = "";

    /** As it was typed. */
    String written() {
        return target;
    }

    /**
     * Finds it.
     *
     * @throws CommandException if there is none, or more than one
     */
    Jvm find() {
        return find("");
    }

    /**
     * Finds it.
     *
     * @param other what else that is no pid was looked for in vain
     * @throws CommandException if there is none, or more than one
     */
    Jvm find(String other) {
        return target.matches("[1-9]\\d{0,9}") ? byPid() : byName(other);
    }

    private Jvm byPid() {
        return Jvms.find(Long.parseLong(target))
                .orElseThrow(() -> new CommandException("no JVM has the pid " + target + WHERE));
    }

    private Jvm byName(String other) {
        List<Jvm> all = Jvms.list();
        List<Jvm> exact = all.stream().filter(jvm -> jvm.main().equals(target)).toList();
        List<Jvm> found = exact.isEmpty() ? all.stream().filter(this::isMeant).toList() : exact;
        if (found.size() == 1) {
            return found.getFirst();
        }
        if (found.isEmpty()) {
            throw new CommandException(
                    "no JVM has '" + target + "' in its main class or application" + other + WHERE);
        }
        throw new CommandException(
                "several JVMs have '"
                        + target
                        + "' in their main class or application; give a pid: "
                        + found.stream()
                                .map(TargetJvm::described)
                                .collect(Collectors.joining(", ")));
    }

    private static String described(Jvm jvm) {
        String application =
                (jvm.execution().application() + " " + jvm.execution().version()).strip();
        return jvm.pid() + " (" + jvm.main() + ", " + application + ")";
    }

    private boolean isMeant(Jvm jvm) {
        return jvm.main().contains(target) || jvm.execution().application().contains(target);
    }
}
