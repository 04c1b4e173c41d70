package dev.heatline.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * The completion of zsh, in its own terms ({@code _arguments}): picocli's script for bash runs in
 * zsh too, but stops at folders, shows no descriptions, and changes options of the user's shell.
 */
final class ZshCompletion {
    private static final String FIRST =
            """
            #compdef heatline
            _heatline() {
              if (( CURRENT == 2 )); then
                local -a verbs=(
            """;

    private static final String SECOND =
            """
                )
                _describe -t verbs verb verbs
                return
              fi
              shift words
              (( CURRENT-- ))
              case $words[1] in
            """;

    /** A file in fpath is the function itself; a sourced one says whose completion it is. */
    private static final String LAST =
            """
              esac
            }
            if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
              _heatline "$@"
            else
              (( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i }
              compdef _heatline heatline
            fi
            """;

    private final Shell shell;

    ZshCompletion(Shell shell) {
        this.shell = shell;
    }

    String script() {
        StringBuilder script = new StringBuilder(FIRST);
        for (Verb verb : Verb.values()) {
            String line = verb.word() + ":" + verb.summary();
            script.append("      ").append(quoted(line)).append('\n');
        }
        script.append(SECOND);
        for (Verb verb : Verb.values()) {
            script.append("    ").append(verb.word()).append(")\n");
            script.append("      _arguments -S");
            CommandSpec spec = Invocation.commandLine(verb.in(shell), verb.word()).getCommandSpec();
            for (String argument : arguments(spec)) {
                script.append(" \\\n        ").append(quoted(argument));
            }
            script.append("\n      ;;\n");
        }
        return script.append(LAST).toString();
    }

    private static List<String> arguments(CommandSpec spec) {
        List<String> all = new ArrayList<>();
        for (OptionSpec option : spec.options()) {
            List<String> names = new ArrayList<>(List.of(option.names()));
            for (Map.Entry<String, OptionSpec> negated : spec.negatedOptionsMap().entrySet()) {
                if (negated.getValue().equals(option)) {
                    names.add(negated.getKey());
                }
            }
            for (String name : names) {
                all.add(option(option, name, names));
            }
        }
        for (PositionalParamSpec positional : spec.positionalParameters()) {
            String many = positional.isMultiValue() ? "*" : "";
            all.add(many + value(positional, ":"));
        }
        return all;
    }

    /** One spelling of an option, which excludes the others unless it may be repeated. */
    private static String option(OptionSpec option, String name, List<String> names) {
        String spec = isRepeated(option) ? "*" : "(" + String.join(" ", names) + ")";
        return spec + name + separator(option, name) + "[" + brief(option) + "]" + values(option);
    }

    private static boolean isRepeated(OptionSpec option) {
        return option.isMultiValue() && (option.arity().max() == 1 || option.arity().isVariable());
    }

    /** Between an option and its value: the sign alone if it needs none, or also a space. */
    private static String separator(OptionSpec option, String name) {
        boolean isLong = name.startsWith("--");
        return switch (option.arity().toString()) {
            case "0..1" -> isLong ? "=-" : "-";
            case "1" -> isLong ? "=" : "+";
            default -> "";
        };
    }

    /** Of any number of values only the first is told apart from what may follow anyway. */
    private static String values(OptionSpec option) {
        int count = option.arity().isVariable() ? 1 : option.arity().max();
        return value(option, option.arity().min() == 0 ? "::" : ":").repeat(count);
    }

    private static String value(ArgSpec argument, String colon) {
        return colon + argument.paramLabel().replace(":", "\\:") + ":" + candidates(argument);
    }

    private static String candidates(ArgSpec argument) {
        if (argument.completionCandidates() != null) {
            StringJoiner words = new StringJoiner(" ", "(", ")");
            argument.completionCandidates().forEach(words::add);
            return words.toString();
        }
        // A list of lists hides the type of what is in it.
        boolean isFile =
                List.of(argument.auxiliaryTypes()).contains(Path.class)
                        || argument.paramLabel().equals("FILE");
        return isFile ? "_files" : "";
    }

    /** The first sentence of its description. */
    private static String brief(ArgSpec argument) {
        String whole = String.join(" ", argument.description()).replace("%%", "%");
        int end = whole.indexOf(". ");
        String sentence = end < 0 ? whole : whole.substring(0, end);
        return sentence.replaceAll("[\\[\\]\\\\]", "\\\\$0").replaceAll("\\.$", "");
    }

    private static String quoted(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }
}
