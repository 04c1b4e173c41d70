package dev.heatline.cli;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Everything {@code heatline} can be told to do. A verb's class is only touched when it is used, so
 * that no command pays for the others at its start.
 */
enum Verb {
    UP("profile the JVMs of this machine, keep and serve the profiles; --demo shows it"),
    REPORT("what used the time, memory or waiting: tables, trees, flame graphs"),
    CONVERT("one profile into another format"),
    MERGE("many profiles into one"),
    DIFF("what changed between two profiles, and what is only noise; a gate for CI"),
    OVERLAP("how well two or more profiles agree"),
    COLLECT("profile the JVMs of this machine for a server"),
    RECORD("profile a JVM that runs, for a while, without a server"),
    LOCKS("who keeps whom waiting for locks, in a JVM that runs"),
    INSTRUMENT("how often and how long methods are called, exactly, below chosen ones"),
    LIST("the JVMs here: who they are, and what Heatline records of them"),
    THREADS("CPU time of a JVM's threads, and what a hypervisor stole of it"),
    SERVE("keep profiles that are sent over HTTP, and answer questions about them"),
    PUSH("profiles from files to a server"),
    DOCTOR("what works on this machine, what does not, and what changes that"),
    COMPLETION("the script that completes commands in bash or zsh");

    private final String summary;

    Verb(String summary) {
        this.summary = summary;
    }

    static Optional<Verb> named(String written) {
        for (Verb verb : values()) {
            if (verb.word().equals(written)) {
                return Optional.of(verb);
            }
        }
        return Optional.empty();
    }

    static String allWords() {
        return Stream.of(values()).map(Verb::word).collect(Collectors.joining(", "));
    }

    /** As it is typed. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** What it does, in a few words. */
    String summary() {
        return summary;
    }

    Action in(Shell shell) {
        return switch (this) {
            case UP -> new Up(shell);
            case REPORT -> new Report(shell);
            case CONVERT -> new Convert(shell);
            case MERGE -> new Merge(shell);
            case DIFF -> new Diff(shell);
            case OVERLAP -> new Overlap(shell);
            case COLLECT -> new Collect(shell);
            case RECORD -> new RecordJvm(shell);
            case LOCKS -> new Locks(shell);
            case INSTRUMENT -> new Instrument(shell);
            case LIST -> new ListJvms(shell);
            case THREADS -> new Threads(shell);
            case SERVE -> new Serve(shell);
            case PUSH -> new Push(shell);
            case DOCTOR -> new Doctor(shell);
            case COMPLETION -> new Completion(shell);
        };
    }
}
