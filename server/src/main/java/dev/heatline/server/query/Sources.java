package dev.heatline.server.query;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * The source files that the server may show: those that were there when it started. A class is only
 * ever looked up in this list, so no name that somebody asks for becomes a path.
 */
public final class Sources {
    private static final System.Logger LOG = System.getLogger(Sources.class.getName());

    private static final int MOST_FILES = 200_000;
    private static final int MOST_BYTES = 2 << 20;
    private static final List<String> ENDINGS = List.of(".java", ".kt", ".scala");

    /** Ends before a dollar sign, but that of a name which begins with one, or a slash. */
    private static final Pattern OUTERMOST = Pattern.compile("([^$/]++|(^|(?<=\\.))\\$)++");

    /** By package and name of the file, such as {@code com/shop/Orders.java}. */
    private final Map<String, Listed> listed = new HashMap<>();

    private final int mostFiles;
    private final int mostBytes;
    private int found;
    private int tooMany;
    private int tooLarge;
    private int unreadable;

    /** A folder or archive that files are in. */
    private interface Place {
        byte[] read(String file, int mostBytes) throws IOException;
    }

    /**
     * Where a file is.
     *
     * @param file its path in the place, whatever its package is
     */
    private record Listed(Place place, String file) {}

    /** Opens a file to see which package it belongs to. */
    private interface Opening {
        InputStream open() throws IOException;
    }

    /** A source file. */
    record Source(String file, String text) {}

    private Sources(int mostFiles, int mostBytes) {
        this.mostFiles = mostFiles;
        this.mostBytes = mostBytes;
    }

    /**
     * Lists all files below some folders, and in some archives, by the package that each says it
     * belongs to: the folders above packages may be any. Where two have the same package and name,
     * the first is shown. Links within a folder are not followed.
     *
     * @throws IOException if one is neither a folder nor an archive; the message names it
     */
    public static Sources of(List<Path> paths) throws IOException {
        return of(paths, MOST_FILES, MOST_BYTES);
    }

    /** As above, with other bounds: larger files, and those after so many, are left out. */
    static Sources of(List<Path> paths, int mostFiles, int mostBytes) throws IOException {
        Sources sources = new Sources(mostFiles, mostBytes);
        for (Path path : paths) {
            sources.add(path);
        }
        sources.leftOut().ifPresent(it -> LOG.log(System.Logger.Level.WARNING, it));
        return sources;
    }

    private void add(Path path) throws IOException {
        try {
            Path real = path.toRealPath();
            int before = found;
            if (Files.isDirectory(real)) {
                addFolder(real);
            } else {
                addArchive(real);
            }
            if (found == before) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "{0} has no file that ends in .java, .kt or .scala",
                        path);
            }
        } catch (NoSuchFileException e) {
            throw new IOException(path + ": there is no such folder or archive of sources", e);
        } catch (IOException e) {
            throw new IOException(
                    path + ": is no folder and no jar or zip of sources: " + e.getMessage(), e);
        }
    }

    private void addFolder(Path folder) throws IOException {
        addBelow(folder, folder, (file, most) -> read(folder.resolve(file), most));
    }

    /** In the order of names, so that which of two files is shown does not change by itself. */
    private void addBelow(Path directory, Path folder, Place place) throws IOException {
        List<Path> content;
        try (Stream<Path> files = Files.list(directory)) {
            content = files.sorted().toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        for (Path file : content) {
            try {
                BasicFileAttributes attributes =
                        Files.readAttributes(
                                file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
                if (attributes.isDirectory()) {
                    addBelow(file, folder, place);
                } else if (attributes.isRegularFile()) {
                    String name = folder.relativize(file).toString();
                    enter(
                            new Listed(place, name.replace(File.separatorChar, '/')),
                            attributes.size(),
                            () -> Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS));
                }
            } catch (IOException e) {
                unreadable++;
            }
        }
    }

    /** The path has no links now, but may have got some since the files were listed. */
    private static byte[] read(Path file, int most) throws IOException {
        if (!file.toRealPath().equals(file)) {
            throw new IOException("it is behind a link now");
        }
        try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            return in.readNBytes(most);
        }
    }

    private void addArchive(Path archive) throws IOException {
        Place place = (file, most) -> read(archive, file, most);
        try (ZipFile zip = new ZipFile(archive.toFile())) {
            List<? extends ZipEntry> content =
                    zip.stream().sorted(Comparator.comparing(ZipEntry::getName)).toList();
            for (ZipEntry entry : content) {
                enter(
                        new Listed(place, entry.getName()),
                        entry.getSize(),
                        () -> zip.getInputStream(entry));
            }
        }
    }

    private static byte[] read(Path archive, String file, int most) throws IOException {
        try (ZipFile zip = new ZipFile(archive.toFile())) {
            ZipEntry entry = zip.getEntry(file);
            if (entry == null) {
                throw new NoSuchFileException(file);
            }
            try (InputStream in = zip.getInputStream(entry)) {
                return in.readNBytes(most);
            }
        }
    }

    private void enter(Listed source, long bytes, Opening opening) {
        if (ENDINGS.stream().noneMatch(source.file::endsWith)) {
            return;
        }
        found++;
        if (bytes > mostBytes) {
            tooLarge++;
        } else if (listed.size() >= mostFiles) {
            tooMany++;
        } else {
            listed.putIfAbsent(name(source.file, opening), source);
        }
    }

    /** By the package; by the folder if that cannot be read, which whoever asks for it is told. */
    private static String name(String file, Opening opening) {
        try (InputStream in = opening.open()) {
            return PackageLine.folder(in) + file.substring(file.lastIndexOf('/') + 1);
        } catch (IOException e) {
            return file;
        }
    }

    /** What is missing in the list, for people. */
    Optional<String> leftOut() {
        return tooLarge + tooMany + unreadable == 0
                ? Optional.empty()
                : Optional.of(
                        "sources left out: "
                                + tooLarge
                                + " larger than "
                                + mostBytes
                                + " bytes, "
                                + tooMany
                                + " beyond the first "
                                + mostFiles
                                + ", "
                                + unreadable
                                + " that cannot be read");
    }

    /**
     * The file of a class. Inner classes, lambdas and hidden classes are in that of the outermost.
     *
     * @throws QueryException if there is none, or it can no longer be read
     */
    Source of(String className) {
        String path = outermost(className).replace('.', '/');
        for (String ending : ENDINGS) {
            Listed source = listed.get(path + ending);
            if (source != null) {
                return new Source(path + ending, text(className, source));
            }
        }
        throw QueryException.notFound(
                "the server has no source of "
                        + Params.shortened(className)
                        + "; heatline serve --sources FOLDER gives it some");
    }

    private static String outermost(String className) {
        Matcher outermost = OUTERMOST.matcher(className);
        return outermost.lookingAt() ? outermost.group() : className;
    }

    private String text(String className, Listed source) {
        try {
            byte[] bytes = source.place.read(source.file, mostBytes + 1);
            if (bytes.length <= mostBytes) {
                return new String(bytes, UTF_8);
            }
            throw new IOException("it has grown to more than " + mostBytes + " bytes");
        } catch (IOException e) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0} cannot be read: {1}",
                    source.file,
                    e.getMessage());
            throw QueryException.notFound(
                    "the source of "
                            + Params.shortened(className)
                            + " can no longer be read; the server's log says why");
        }
    }
}
