package dev.heatline.formats;

import dev.heatline.formats.jfr.JfrFormat;
import dev.heatline.model.ModelException;
import dev.heatline.model.Profile;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** All formats, and the way in and out of files for everybody else. */
public final class Formats {

    /** In the order they are asked whether they recognise a file: the most certain first. */
    private static final List<Format> ALL =
            List.of(
                    new HeatFormat(),
                    new JfrFormat(),
                    new PprofFormat(),
                    new OtlpFormat(),
                    new SpeedscopeFormat(),
                    new TraceFormat(),
                    new CollapsedFormat());

    private Formats() {}

    public static List<Format> all() {
        return ALL;
    }

    /** The format that {@code --format} calls by this name. */
    public static Optional<Format> byName(String name) {
        return ALL.stream().filter(format -> format.name().equals(name)).findFirst();
    }

    /** The format of files that end like this one, {@code .gz} and {@code .zst} left aside. */
    public static Optional<Format> forFile(String fileName) {
        String name = fileName.toLowerCase(Locale.ROOT);
        Compression wrapper = Compression.ofName(name);
        Optional<Format> whole = byEnding(name);
        return wrapper == null || whole.isPresent() ? whole : byEnding(wrapper.inner(name));
    }

    /**
     * Reads a profile of any format, compressed or not; {@code -} is standard input.
     *
     * @throws FormatException if that cannot be done; one line that says why
     */
    public static Profile read(Path file, ReadOptions options) {
        try (Source source = Source.open(file)) {
            return read(source, options);
        }
    }

    /** As {@link #read(Path, ReadOptions)}, for what is already in memory. */
    public static Profile read(Source source, ReadOptions options) {
        if (source.bytes().byteSize() == 0) {
            throw new FormatException(source.name() + ": is empty");
        }
        Source unpacked = Compression.unpacked(source, options);
        Format format = detect(unpacked);
        try {
            return format.read(unpacked, options);
        } catch (ModelException e) {
            throw new FormatException(source.name() + ": " + e.getMessage());
        }
    }

    /**
     * The format of a source that is not compressed: by its content, then by its name. A name that
     * agrees with the content decides between several that fit.
     *
     * @throws FormatException if there is none
     */
    public static Format detect(Source source) {
        byte[] start = start(source.bytes());
        Optional<Format> named = forFile(source.name());
        List<Format> fitting = ALL.stream().filter(format -> format.recognises(start)).toList();
        if (named.isPresent() && (fitting.isEmpty() || fitting.contains(named.get()))) {
            return named.get();
        }
        if (fitting.isEmpty()) {
            throw new FormatException(
                    source.name() + ": is no profile that Heatline knows; it reads " + names(ALL));
        }
        return fitting.getFirst();
    }

    /**
     * Writes a profile in the format of the file's ending.
     *
     * @throws FormatException if the ending tells nothing, or the file cannot be written
     */
    public static void write(Profile profile, Path file, WriteOptions options) {
        write(profile, file, formatToWrite(file.toString()), options);
    }

    /** As {@link #write(Profile, Path, WriteOptions)}, in this format whatever the ending. */
    public static void write(Profile profile, Path file, Format format, WriteOptions options) {
        if (!format.isWritable()) {
            throw new FormatException(
                    file
                            + ": "
                            + format.name()
                            + " is only read; written are "
                            + names(writable()));
        }
        String name = file.toString().toLowerCase(Locale.ROOT);
        Compression wrapper = format.isCompressed() ? null : Compression.ofName(name);
        OutputFile.write(
                file,
                out -> {
                    if (wrapper == null) {
                        format.write(profile, out, options);
                        return;
                    }
                    try (OutputStream packed = wrapper.pack(out)) {
                        format.write(profile, packed, options);
                    }
                });
    }

    private static Format formatToWrite(String fileName) {
        return forFile(fileName)
                .orElseThrow(
                        () ->
                                new FormatException(
                                        fileName
                                                + ": the ending names no format; use one of "
                                                + endings(writable())
                                                + ", or --format"));
    }

    private static Optional<Format> byEnding(String name) {
        return ALL.stream()
                .flatMap(
                        format ->
                                format.extensions().stream()
                                        .filter(name::endsWith)
                                        .map(ending -> new Ending(ending, format)))
                .max(Comparator.comparingInt(ending -> ending.text.length()))
                .map(Ending::format);
    }

    private record Ending(String text, Format format) {}

    private static byte[] start(MemorySegment bytes) {
        long size = Math.min(Format.PEEK_BYTES, bytes.byteSize());
        return bytes.asSlice(0, size).toArray(ValueLayout.JAVA_BYTE);
    }

    private static List<Format> writable() {
        return ALL.stream().filter(Format::isWritable).toList();
    }

    private static String names(List<Format> formats) {
        return formats.stream().map(Format::name).collect(Collectors.joining(", "));
    }

    private static String endings(List<Format> formats) {
        return formats.stream()
                .flatMap(format -> format.extensions().stream())
                .collect(Collectors.joining(" "));
    }
}
