package dev.heatline.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.heatline.collector.spool.Answer;
import dev.heatline.collector.spool.Entry;
import dev.heatline.collector.spool.Ingest;
import dev.heatline.collector.spool.SpoolException;
import dev.heatline.formats.Format;
import dev.heatline.formats.FormatException;
import dev.heatline.formats.Formats;
import dev.heatline.formats.HeatFormat;
import dev.heatline.formats.ReadOptions;
import dev.heatline.formats.Source;
import dev.heatline.formats.WriteOptions;
import dev.heatline.model.Execution;
import dev.heatline.model.Profile;
import dev.heatline.model.Provenance;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.ValueLayout;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Profiles from files to a server. */
@Command(
        customSynopsis = "heatline push FILE... --app NAME [OPTIONS]",
        description = {
            "Uploads profiles of any known formats to a server. The same file of the same"
                    + " application, version and instance counts once, however often it is pushed."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  heatline push app.jfr --app shop --version 1.2",
            "      a recording, to the server on this machine",
            "  heatline push pods/*.jfr --app shop --server https://heat.example.org \\",
            "          --token-file token.txt",
            "      many, to a server that wants a token; HEATLINE_SERVER and HEATLINE_TOKEN_FILE,",
            "      or heatline.properties, save typing",
            "  heatline push load-test.pb.gz --app shop --version 1.3-rc1 --label run=17",
            "      a profile of another tool, to be found by its label",
        })
final class Push implements Action {
    private static final int RETRIES = 5;
    private static final long PIECE_BYTES = 1 << 20;

    private final Shell shell;

    @Spec private CommandSpec spec;

    @Parameters(
            arity = "1..*",
            paramLabel = "FILE",
            description = "Profiles of any known formats; - is standard input.")
    private List<Path> files;

    @Option(
            names = "--server",
            paramLabel = "URL",
            defaultValue = "http://localhost:4040",
            description = "Where to; ${DEFAULT-VALUE} if not said.")
    private String server = "";

    @Option(
            names = "--app",
            required = true,
            paramLabel = "NAME",
            description = "The application they are profiles of.")
    private String app = "";

    @Option(names = "--version", paramLabel = "V", description = "Which build of it.")
    private String version = "";

    @Option(
            names = "--instance",
            paramLabel = "NAME",
            description = "Which of the processes that run it.")
    private String instance = "";

    @Option(
            names = "--label",
            paramLabel = "NAME=VALUE",
            description = "Anything else to find them by; may be repeated.")
    private Map<String, String> labels = new LinkedHashMap<>();

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "Holds the token that the server wants for uploads.")
    private Optional<Path> tokenFile = Optional.empty();

    @Option(
            names = "--ca-file",
            paramLabel = "FILE",
            description = "Certificates (PEM) to trust for https, instead of the JVM's.")
    private Optional<Path> caFile = Optional.empty();

    Push(Shell shell) {
        this.shell = shell;
    }

    @Override
    public int run() {
        if (app.isBlank()) {
            throw new ParameterException(spec.commandLine(), "--app needs the application's name");
        }
        Execution execution = new Execution(app, version, instance, new TreeMap<>(labels));
        List<String> taken = new ArrayList<>();
        List<String> failures = new ArrayList<>();
        try (Ingest ingest = new Ingest(server, tokenFile, caFile);
                Progress progress = Progress.start(shell)) {
            for (Path file : files) {
                try {
                    Answer answer = push(file, execution, ingest, progress);
                    if (answer.outcome() == Answer.Outcome.TAKEN) {
                        taken.add(file + ": " + (answer.why().isEmpty() ? "stored" : answer.why()));
                    } else {
                        failures.add(file + ": " + answer.why());
                    }
                    if (answer.outcome() == Answer.Outcome.FORBIDDEN
                            || answer.outcome() == Answer.Outcome.LATER
                            || answer.retryAfter().isPositive()) {
                        // The others would fare no better.
                        break;
                    }
                } catch (FormatException e) {
                    failures.add(String.valueOf(e.getMessage()));
                }
            }
        } catch (SpoolException e) {
            failures.add(String.valueOf(e.getMessage()));
        }
        taken.forEach(each -> new Output(shell).print(each + "\n"));
        failures.forEach(each -> shell.err().println("heatline push: " + each));
        return failures.isEmpty() ? Exit.DONE : Exit.FAILED;
    }

    private Answer push(Path file, Execution execution, Ingest ingest, Progress progress) {
        progress.step("reading " + file);
        try (Source source = Source.open(file)) {
            Profile profile = Formats.read(source, ReadOptions.DEFAULT.withSeconds());
            if (profile.columns().isEmpty()) {
                throw new FormatException(file + ": has no samples or other values to push");
            }
            Inputs.tellIfIncomplete(file, profile, progress);
            byte[] heat = isHeat(source) ? bytes(source) : heat(profile);
            Range range = Range.of(file, profile.provenance());
            Entry entry =
                    new Entry(id(source, execution), execution, range.from, range.until, "", "");
            progress.step("uploading " + file);
            return send(entry, heat, ingest);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandException("interrupted");
        }
    }

    /** A server that says when to come again gets what it asks for, a few times. */
    private static Answer send(Entry entry, byte[] heat, Ingest ingest)
            throws InterruptedException {
        Answer answer = ingest.send(entry, BodyPublishers.ofByteArray(heat));
        for (int retry = 0; retry < RETRIES && answer.retryAfter().isPositive(); retry++) {
            Thread.sleep(answer.retryAfter());
            answer = ingest.send(entry, BodyPublishers.ofByteArray(heat));
        }
        return answer;
    }

    private static boolean isHeat(Source source) {
        long size = Math.min(Format.PEEK_BYTES, source.bytes().byteSize());
        byte[] start = source.bytes().asSlice(0, size).toArray(ValueLayout.JAVA_BYTE);
        return new HeatFormat().recognises(start);
    }

    private static byte[] bytes(Source source) {
        return source.bytes().toArray(ValueLayout.JAVA_BYTE);
    }

    private static byte[] heat(Profile profile) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            new HeatFormat().write(profile, bytes, WriteOptions.DEFAULT);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /** The same for the same content of the same execution, and for nothing else. */
    private static String id(Source source, Execution execution) {
        MessageDigest hash;
        try {
            hash = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
        List<String> names = new ArrayList<>();
        names.add(execution.application());
        names.add(execution.version());
        names.add(execution.instance());
        execution.labels().forEach((name, value) -> names.addAll(List.of(name, value)));
        for (String name : names) {
            byte[] text = name.getBytes(UTF_8);
            hash.update(ByteBuffer.allocate(Integer.BYTES).putInt(text.length).array());
            hash.update(text);
        }
        long size = source.bytes().byteSize();
        hash.update(ByteBuffer.allocate(Long.BYTES).putLong(size).array());
        for (long at = 0; at < size; at += PIECE_BYTES) {
            long length = Math.min(PIECE_BYTES, size - at);
            hash.update(source.bytes().asSlice(at, length).asByteBuffer());
        }
        return "push-" + HexFormat.of().formatHex(hash.digest());
    }

    /** What a profile covers: as it says itself, else the moment its file was written. */
    private record Range(Instant from, Instant until) {

        static Range of(Path file, Provenance provenance) {
            Instant until = provenance.until().orElseGet(() -> written(file));
            Instant from = provenance.from().orElse(until);
            // The last moment covered is not yet the end, and a server counts in milliseconds.
            return new Range(from, until.plusMillis(1));
        }

        private static Instant written(Path file) {
            try {
                return file.toString().equals("-")
                        ? Instant.now()
                        : Files.getLastModifiedTime(file).toInstant();
            } catch (IOException e) {
                throw new FormatException(file + ": cannot be read: " + e.getMessage());
            }
        }
    }
}
