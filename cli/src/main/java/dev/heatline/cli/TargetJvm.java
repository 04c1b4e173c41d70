package dev.heatline.cli;

import dev.heatline.collector.jvm.Jvm;
import dev.heatline.collector.jvm.Jvms;
import java.util.List;
import java.util.stream.Collectors;

/** The JVM that a verb is about, as people name it: its pid, or a part of its main class or jar. */
final class TargetJvm {
    private TargetJvm() {}

    /**
     * @throws CommandException if there is none, or more than one
     */
    static Jvm named(String written) {
        if (written.matches("[1-9]\\d{0,9}")) {
            return Jvms.find(Long.parseLong(written))
                    .orElseThrow(
                            () ->
                                    new CommandException(
                                            "process "
                                                    + written
                                                    + " is not there, or is no JVM this user can"
                                                    + " see; heatline list shows those"));
        }
        List<Jvm> found = Jvms.list().stream().filter(jvm -> jvm.main().contains(written)).toList();
        return switch (found.size()) {
            case 0 ->
                    throw new CommandException(
                            "no JVM whose main class or jar contains "
                                    + written
                                    + "; heatline list shows those there are");
            case 1 -> found.getFirst();
            default ->
                    throw new CommandException(
                            "several JVMs whose main class or jar contains "
                                    + written
                                    + "; give the pid of one: "
                                    + found.stream()
                                            .map(jvm -> jvm.pid() + " (" + jvm.main() + ")")
                                            .collect(Collectors.joining(", ")));
        };
    }
}
