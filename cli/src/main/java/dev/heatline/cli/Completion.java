package dev.heatline.cli;

import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;

/** The script that completes verbs, options and their values in a shell. */
@Command(
        description = "Writes the script that completes verbs, options and values.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  source <(heatline completion bash)",
            "      completion in this shell",
            "  heatline completion bash > ~/.local/share/bash-completion/completions/heatline",
            "      completion in every bash from now on",
            "  echo 'source <(heatline completion zsh)' >> ~/.zshrc",
            "      the same for zsh"
        })
final class Completion implements Action {

    /** Shells that can be helped. */
    enum Kind {
        BASH,
        ZSH;

        @Override
        public String toString() {
            return this == BASH ? "bash" : "zsh";
        }
    }

    private final Shell shell;

    @Parameters(paramLabel = "bash|zsh", description = "${COMPLETION-CANDIDATES}")
    private Kind kind;

    Completion(Shell shell) {
        this.shell = shell;
    }

    @Override
    public int run() {
        new Output(shell)
                .print(
                        switch (kind) {
                            case BASH -> AutoComplete.bash("heatline", everything());
                            case ZSH -> new ZshCompletion(shell).script();
                        });
        return Exit.DONE;
    }

    private CommandLine everything() {
        CommandLine heatline = new CommandLine(CommandSpec.create().name("heatline"));
        for (Verb verb : Verb.values()) {
            heatline.addSubcommand(
                    verb.word(), Invocation.commandLine(verb.in(shell), verb.word()));
        }
        return heatline;
    }
}
