package dev.heatline.cli;

import dev.heatline.model.Operations;
import dev.heatline.model.Operations.Grouping;
import dev.heatline.model.Profile;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** How much detail is shown. */
final class Detail extends Shown {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--group",
            paramLabel = "G",
            completionCandidates = Groups.class,
            description = "One row or node for each ${COMPLETION-CANDIDATES}. Default: method.")
    private @Nullable Grouping grouping;

    Profile of(Profile profile) {
        return grouping == null ? profile : Operations.regroup(profile, grouping);
    }

    /**
     * Contentions are not made of methods alone.
     *
     * @throws ParameterException if they are to be grouped as methods are
     */
    void refuseGroupOfLocks() {
        if (grouping != null) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--group is for methods; locks are broken down by --by, such as --by"
                            + " lock-class,owner-method");
        }
    }

    /** The groupings as they are typed. */
    static final class Groups extends Words {
        Groups() {
            super("method", "class", "package");
        }
    }
}
