package dev.heatline.cli;

import dev.heatline.model.Accuracy;
import dev.heatline.model.Profile;
import dev.heatline.report.OverlapReport;
import dev.heatline.report.ReportOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Stack;
import picocli.CommandLine.Command;
import picocli.CommandLine.IParameterConsumer;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** How well profiles agree: two with each other, a set within itself, sets with each other. */
@Command(
        customSynopsis = "heatline overlap FILE FILE... [--with FILE...]... [OPTIONS]",
        description = {
            "How well profiles agree, from 0 to 1. Two: degree of overlap, and how many of the one's"
                    + " hot edges are hot in the other. More: how consistent they are with their"
                    + " average. Sets (--with): how far their averages agree."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  heatline overlap sampled.jfr exact.trace",
            "      how right a sampling profiler was",
            "  heatline overlap run1.jfr run2.jfr run3.jfr --threshold 0.05",
            "      whether repeated runs tell the same",
            "  heatline overlap a1.jfr a2.jfr --with b1.jfr b2.jfr --with c1.jfr c2.jfr",
            "      how far three profilers agree, each with two runs",
            "  heatline overlap old.heat new.heat --format json | jq .overlap",
            "      one number for a script"
        })
final class Overlap implements Action {
    private final Shell shell;

    @Spec private CommandSpec spec;

    @Parameters(arity = "1..*", paramLabel = "FILE", description = "Profiles of any known formats.")
    private List<Path> files;

    @Option(
            names = "--with",
            arity = "1..*",
            paramLabel = "FILE",
            parameterConsumer = SetConsumer.class,
            description = "Another set of profiles. May be repeated.")
    private List<List<Path>> others = new ArrayList<>();

    @Option(
            names = "--threshold",
            paramLabel = "T",
            converter = Share.Converter.class,
            defaultValue = "" + Accuracy.DEFAULT_THRESHOLD,
            description = {
                "An edge is hot from this part of the hottest edge on. Default: ${DEFAULT-VALUE}."
            })
    private Share threshold = new Share(Accuracy.DEFAULT_THRESHOLD);

    @Mixin private ResourceOption resource;
    @Mixin private Selection selection;
    @Mixin private Inputs inputs;
    @Mixin private AnswerOutputOptions output;

    Overlap(Shell shell) {
        this.shell = shell;
    }

    @Override
    public int run() {
        List<List<Path>> sets = new ArrayList<>(List.of(files));
        sets.addAll(others);
        if (sets.size() == 1 && files.size() == 1) {
            throw new ParameterException(
                    spec.commandLine(), "one profile has nothing to agree with; give two or more");
        }
        try (Progress progress = Progress.start(shell)) {
            List<List<Profile>> profiles = new ArrayList<>();
            for (List<Path> set : sets) {
                profiles.add(
                        set.stream().map(it -> selection.of(inputs.read(it, progress))).toList());
            }
            progress.step("comparing");
            String name =
                    resource.ofBoth(profiles.getFirst().getFirst(), profiles.getLast().getLast());
            if (profiles.size() == 1 && profiles.getFirst().size() == 2) {
                OverlapReport report = ofTwo(profiles.getFirst(), name);
                progress.writing(output.file());
                output.write(shell, report);
            } else {
                OverlapAnswer answer = ofMore(sets, profiles, name);
                progress.writing(output.file());
                output.write(shell, answer.text(), answer::writeTo);
            }
        }
        return Exit.DONE;
    }

    private OverlapReport ofTwo(List<Profile> both, String name) {
        return OverlapReport.of(
                both.getFirst(),
                both.getLast(),
                threshold.value(),
                ReportOptions.builder().resource(name).build());
    }

    private OverlapAnswer ofMore(
            List<List<Path>> names, List<List<Profile>> sets, String resourceName) {
        double hot = threshold.value();
        return sets.size() > 1
                ? new OverlapAnswer.OfSets(
                        names, resourceName, hot, Accuracy.agreement(sets, resourceName, hot))
                : new OverlapAnswer.OfMany(
                        files,
                        resourceName,
                        hot,
                        Accuracy.consistency(sets.getFirst(), resourceName, hot));
    }

    /** For picocli, which would put the files of all sets into one list. */
    static final class SetConsumer implements IParameterConsumer {
        @Override
        public void consumeParameters(Stack<String> args, ArgSpec option, CommandSpec command) {
            List<Path> set = new ArrayList<>();
            while (!args.isEmpty() && !args.peek().startsWith("-")) {
                set.add(Path.of(args.pop()));
            }
            if (set.isEmpty()) {
                throw new ParameterException(
                        command.commandLine(), "--with needs the files of a set, at least one");
            }
            List<List<Path>> sets = new ArrayList<>(option.<List<List<Path>>>getValue());
            sets.add(set);
            option.setValue(sets);
        }
    }
}
