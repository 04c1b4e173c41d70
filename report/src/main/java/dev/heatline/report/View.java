package dev.heatline.report;

import dev.heatline.model.Profile;
import java.util.Arrays;
import java.util.stream.Collectors;

/** The views of one Profile, by the names people ask for them. */
public enum View {
    XPROF("xprof", "flat profile: what each method used"),
    XARC("xarc", "each method with its callers and callees"),
    XTREE("xtree", "calling contexts, depth first"),
    FLAME("flame", "flame graph of all resources"),
    THREADS("threads", "what each thread used, and where"),
    LOCKS("locks", "who kept whom waiting for locks, as traced by heatline locks"),
    TASKS("tasks", "what each task used"),
    SUBSUMING("subsuming", "methods that stand for what they call"),
    SURVIVAL("survival", "objects that are still alive, by class and by what made them"),
    RESOURCES("resources", "what the profile tells about: what can be asked for");

    private final String label;
    private final String description;

    View(String label, String description) {
        this.label = label;
        this.description = description;
    }

    /**
     * The view people call so.
     *
     * @throws ReportException if there is no such view
     */
    public static View named(String name) {
        return Arrays.stream(values())
                .filter(view -> view.label.equals(name))
                .findFirst()
                .orElseThrow(
                        () -> new ReportException("no view " + name + "; views are " + labels()));
    }

    private static String labels() {
        return Arrays.stream(values()).map(View::label).collect(Collectors.joining(", "));
    }

    public String label() {
        return label;
    }

    /** What the view shows, in a few words. */
    public String description() {
        return description;
    }

    /**
     * Makes the report.
     *
     * @throws ReportException if the profile cannot be shown as asked
     */
    public Report of(Profile profile, ReportOptions options) {
        return switch (this) {
            case XPROF -> XprofReport.of(profile, options);
            case XARC -> XarcReport.of(profile, options);
            case XTREE -> XtreeReport.of(profile, options);
            case FLAME -> FlameGraphReport.of(profile, options);
            case THREADS -> ThreadsReport.of(profile, options);
            case LOCKS -> LocksReport.of(profile, options);
            case TASKS -> TasksReport.of(profile, options);
            case SUBSUMING -> SubsumingReport.of(profile, options);
            case SURVIVAL -> SurvivalReport.of(profile, options);
            case RESOURCES -> ResourcesReport.of(profile, options);
        };
    }
}
