package dev.heatline.cli;

import dev.heatline.cli.doctor.Diagnosis;
import dev.heatline.cli.doctor.Finding;
import dev.heatline.cli.doctor.Machine;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.core.JsonGenerator;

/** What works on this machine, what does not, why, and the command that changes it. */
@Command(
        description = "What works on this machine, what does not, why, and what changes that.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  heatline doctor",
            "      one line for each thing, and under it the command that would change it",
            "  heatline doctor | grep -v ' ok '",
            "      only what does not work fully",
            "  heatline doctor --format json | jq '.findings[] | select(.state != \"ok\")'",
            "      the same for a script"
        })
final class Doctor implements Action {
    private final Shell shell;
    @Mixin private AnswerOutputOptions output;

    Doctor(Shell shell) {
        this.shell = shell;
    }

    @Override
    public int run() {
        List<Finding> findings = new ArrayList<>(Diagnosis.of(Machine.here(shell.environment())));
        findings.add(terminal());
        findings.add(settings());
        output.write(shell, text(findings), json -> write(json, findings));
        return Exit.DONE;
    }

    private Finding terminal() {
        boolean unicode =
                Optional.ofNullable(System.getProperty("sun.jnu.encoding")).stream()
                        .anyMatch(encoding -> encoding.equalsIgnoreCase("UTF-8"));
        String seen =
                shell.messagesSeen() ? "progress is shown" : "a pipe or file: no progress shown";
        return unicode
                ? new Finding("terminal", Finding.State.OK, seen + ", UTF-8", Optional.empty())
                : new Finding(
                        "terminal",
                        Finding.State.LIMITED,
                        seen + "; file names outside ASCII cannot be opened in this locale",
                        Optional.of("export LC_ALL=C.UTF-8"));
    }

    private Finding settings() {
        Settings settings = Settings.of(shell);
        Set<String> unknown = settings.unknown();
        if (!unknown.isEmpty()) {
            return new Finding(
                    "settings",
                    Finding.State.LIMITED,
                    "nothing reads " + String.join(", ", unknown),
                    Optional.of("heatline report --help"));
        }
        String used = settings.known().isEmpty() ? "none" : String.join(" ", settings.known());
        return new Finding("settings", Finding.State.OK, used, Optional.empty());
    }

    private static String text(List<Finding> findings) {
        StringBuilder text = new StringBuilder();
        for (Finding finding : findings) {
            text.append(
                    String.format(
                            Locale.ROOT,
                            "%-18s %-8s %s%n",
                            finding.subject(),
                            word(finding.state()),
                            finding.reason()));
            finding.remedy()
                    .ifPresent(
                            command ->
                                    text.append(" ".repeat(28))
                                            .append("→ ")
                                            .append(command)
                                            .append('\n'));
        }
        return text.toString();
    }

    private static void write(JsonGenerator json, List<Finding> findings) {
        json.writeStartObject();
        json.writeArrayPropertyStart("findings");
        for (Finding finding : findings) {
            json.writeStartObject();
            json.writeStringProperty("subject", finding.subject());
            json.writeStringProperty("state", word(finding.state()));
            json.writeStringProperty("reason", finding.reason());
            finding.remedy().ifPresent(command -> json.writeStringProperty("remedy", command));
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static String word(Finding.State state) {
        return state.name().toLowerCase(Locale.ROOT);
    }
}
