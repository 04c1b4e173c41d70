package dev.heatline.cli;

import dev.heatline.collector.locks.LockAnalysis;
import dev.heatline.formats.Format;
import dev.heatline.formats.FormatException;
import dev.heatline.formats.Formats;
import dev.heatline.formats.HeatFormat;
import dev.heatline.formats.ReadOptions;
import dev.heatline.model.Column;
import dev.heatline.model.GeneratedNames;
import dev.heatline.model.HotTree;
import dev.heatline.model.Operations;
import dev.heatline.model.Profile;
import dev.heatline.model.Resource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/** How profiles are read. */
final class Inputs {

    /** So many profiles are kept apart before they are merged, to bound what is in memory. */
    private static final int KEPT_APART = 16;

    /** Counts of a profile that say a part of the file could not be read. */
    private static final List<String> INCOMPLETE = List.of("unfinished chunks", "damaged chunks");

    @Option(
            names = "--event",
            split = ",",
            paramLabel = "NAME[:field]",
            description = {
                "Also read this JFR event, as a resource of its own: how often it happened and,"
                        + " with a field, the sum of that field."
            })
    private List<String> events = new ArrayList<>();

    @Option(
            names = "--classes",
            description = {
                "From JFR, also the class of what was allocated, locked, waited or parked for: it"
                        + " stands below the method that did so."
            })
    private boolean classes;

    /** Whether to tell in which seconds samples were taken. */
    private boolean seconds;

    /** One profile of any format; {@code -} is standard input. */
    Profile read(Path file, Progress progress) {
        return withValues(open(file, progress), List.of(file));
    }

    /** Reads of recordings what a format can hold that they are to be written in. */
    Inputs forOutput(Format format) {
        seconds = format instanceof HeatFormat;
        return this;
    }

    private ReadOptions options(Progress progress) {
        ReadOptions options = new ReadOptions(events, progress::reach).withClasses(classes);
        return seconds ? options.withSeconds() : options;
    }

    /** Says what a file lacks that was cut off or damaged. */
    static void tellIfIncomplete(Path file, Profile profile, Progress progress) {
        for (String incomplete : INCOMPLETE) {
            long count = profile.provenance().count(incomplete);
            if (count > 0) {
                progress.tell(file + " is not whole: " + count + " " + incomplete);
            }
        }
    }

    private Profile open(Path file, Progress progress) {
        progress.step("reading " + file, size(file));
        if (LockAnalysis.isTrace(file)) {
            throw new FormatException(
                    file + " is a lock trace; heatline locks " + file + " analyses it");
        }
        Profile profile = Formats.read(file, options(progress));
        tellIfIncomplete(file, profile, progress);
        return profile;
    }

    /**
     * Many profiles as one.
     *
     * @param shared the names of the resources that each of them has
     */
    record Merged(Profile profile, Set<String> shared) {}

    /**
     * All of them in one. Names that a JVM makes up anew in every run are made equal, so that the
     * same lambda of two runs is one.
     */
    Merged readMerged(List<Path> files, Progress progress) {
        List<Profile> read = new ArrayList<>();
        Set<String> shared = new HashSet<>();
        for (Path file : files) {
            if (read.size() == KEPT_APART) {
                Profile merged = Operations.merge(read);
                read.clear();
                read.add(merged);
            }
            Profile profile = open(file, progress);
            if (read.isEmpty()) {
                shared.addAll(resources(profile));
            }
            shared.retainAll(resources(profile));
            read.add(
                    files.size() == 1
                            ? profile
                            : Operations.mapConsumers(profile, GeneratedNames::normalise));
        }
        progress.step("merging " + files.size() + " profiles");
        Profile all = read.size() == 1 ? read.getFirst() : Operations.merge(read);
        return new Merged(withValues(all, files), shared);
    }

    private static List<String> resources(Profile profile) {
        return profile.columns().stream().map(column -> column.resource().name()).toList();
    }

    /**
     * The hot contexts of all of them, with one file and the hot contexts in memory at a time.
     *
     * @throws dev.heatline.model.ModelException if one has no such resource as decides
     */
    Profile readHot(List<Path> files, Hot hot, ResourceOption resource, Progress progress) {
        Profile first = read(files.getFirst(), progress);
        Resource deciding = deciding(first, resource.of(first).resource());
        HotTree tree = new HotTree(hot.phi(), hot.epsilon(), deciding);
        tree.add(first);
        for (Path file : files.subList(1, files.size())) {
            Profile next = read(file, progress);
            if (next.column(deciding.name()).isEmpty()) {
                throw new CommandException(
                        file
                                + ": has no "
                                + deciding.name()
                                + ", which decide what is hot; choose others with --resource");
            }
            tree.add(next);
        }
        return tree.hot();
    }

    /** How often something was seen decides, where that is known. */
    private static Resource deciding(Profile profile, Resource resource) {
        return profile.occurrences(resource).map(Column::resource).orElse(resource);
    }

    private static Profile withValues(Profile profile, List<Path> files) {
        if (profile.columns().stream().allMatch(column -> column.total() == 0)) {
            String names = files.stream().map(Path::toString).collect(Collectors.joining(", "));
            throw new CommandException(
                    names + ": has no samples or other values; record for longer, or more events");
        }
        return profile;
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            // Reading will say what is wrong with it, if anything is.
            return 0;
        }
    }
}
