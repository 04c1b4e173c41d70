package dev.heatline.cli;

import dev.heatline.collector.jvm.CallMeter;
import dev.heatline.collector.jvm.FlightRecording;
import dev.heatline.collector.jvm.Jvm;
import dev.heatline.collector.jvm.Jvms;
import dev.heatline.collector.jvm.LockTracer;
import dev.heatline.wire.Announcement;
import dev.heatline.wire.ProcessKey;
import dev.heatline.wire.RecordingSettings;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.core.JsonGenerator;

/** The JVMs of this machine. Looks at them from outside and disturbs none. */
@Command(
        description = "The JVMs of this machine: who they are, and what Heatline records of them.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  heatline list",
            "      one line for each JVM that this user can see",
            "  sudo heatline list",
            "      everybody's",
            "  heatline list --json | jq '.jvms[] | select(.recording == null) | .pid'",
            "      those that are not recorded, for a script"
        })
final class ListJvms implements Action {
    private static final DateTimeFormatter SINCE =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT)
                    .withZone(ZoneId.systemDefault());

    private static final int COLUMNS = 6;

    private final Shell shell;
    @Mixin private AnswerOutputOptions output;

    @Option(names = "--json", description = "The same as --format json.")
    private boolean json;

    ListJvms(Shell shell) {
        this.shell = shell;
    }

    @Override
    public int run() {
        List<Jvm> jvms = Jvms.list();
        Json.Content content = generator -> write(generator, jvms);
        if (json) {
            output.to(shell).print(Json.text(content));
        } else {
            output.write(shell, text(jvms), content);
        }
        return Exit.DONE;
    }

    private static String text(List<Jvm> jvms) {
        if (jvms.isEmpty()) {
            return "no JVMs that this user can see\n";
        }
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("pid", "main", "JDK", "user", "application", "Heatline"));
        for (Jvm jvm : jvms) {
            rows.add(
                    List.of(
                            String.valueOf(jvm.pid()),
                            jvm.main().substring(jvm.main().lastIndexOf('/') + 1),
                            jvm.jdk(),
                            jvm.user(),
                            (jvm.execution().application() + " " + jvm.execution().version())
                                    .strip(),
                            state(jvm)));
        }
        int[] widths = new int[COLUMNS];
        for (List<String> row : rows) {
            for (int i = 0; i < COLUMNS; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            for (int i = 0; i < COLUMNS - 1; i++) {
                text.append(row.get(i)).repeat(' ', widths[i] + 2 - row.get(i).length());
            }
            text.append(row.getLast()).append('\n');
        }
        return text.toString();
    }

    private static String state(Jvm jvm) {
        String problem = problem(jvm);
        String trouble = problem.isEmpty() ? "" : "; " + problem;
        List<String> loaded = loaded(jvm);
        return jvm.announced()
                .map(on -> summary(on, loaded) + since(on) + reduced(on) + trouble)
                .orElseGet(() -> withoutRecording(jvm, loaded) + trouble);
    }

    /** What the agent does there that was loaded into it. */
    private static List<String> loaded(Jvm jvm) {
        List<String> parts = new ArrayList<>();
        if (LockTracer.isOnIn(jvm)) {
            parts.add("locks");
        }
        if (CallMeter.isOnIn(jvm)) {
            parts.add("calls");
        }
        return parts;
    }

    private static String withoutRecording(Jvm jvm, List<String> loaded) {
        return loaded.isEmpty()
                ? jvm.obstacle().map(why -> "no: " + why).orElse("off")
                : String.join(", ", loaded);
    }

    private static String since(FlightRecording recording) {
        return recording.since().equals(Instant.EPOCH)
                ? ""
                : " since " + SINCE.format(recording.since());
    }

    /** What a collector left out to keep to its budget. */
    private static String reduced(FlightRecording recording) {
        String less = recording.reduction();
        return less.isEmpty() ? "" : "; reduced: " + less;
    }

    /** What a collector had that has ended is over. */
    private static String problem(Jvm jvm) {
        String told =
                jvm.announcement()
                        .filter(
                                it ->
                                        it.byAgent()
                                                || it.collector()
                                                        .filter(ProcessKey::isAlive)
                                                        .isPresent())
                        .map(Announcement::problem)
                        .orElse("");
        return Stream.of(told, jvm.renamed())
                .filter(text -> !text.isEmpty())
                .collect(Collectors.joining("; "));
    }

    /** Such as {@code cpu 10ms, alloc 150/s, waits 10ms}. */
    private static String summary(FlightRecording recording, List<String> loaded) {
        SortedSet<String> events = recording.events();
        Map<String, String> settings = recording.settings();
        List<String> parts = new ArrayList<>();
        parts.add(
                (events.contains(RecordingSettings.CPU_TIME_SAMPLE) ? "cpu-time " : "cpu ")
                        + recording.cpuInterval());
        if (events.contains(RecordingSettings.ALLOCATION_SAMPLE)) {
            parts.add("alloc " + settings.get(RecordingSettings.ALLOCATION_SAMPLE + "#throttle"));
        }
        if (events.contains(RecordingSettings.MONITOR_ENTER)) {
            parts.add("waits " + settings.get(RecordingSettings.MONITOR_ENTER + "#threshold"));
        }
        parts.addAll(loaded);
        return String.join(", ", parts);
    }

    private static void write(JsonGenerator json, List<Jvm> jvms) {
        json.writeStartObject();
        json.writeArrayPropertyStart("jvms");
        for (Jvm jvm : jvms) {
            json.writeStartObject();
            json.writeNumberProperty("pid", jvm.pid());
            json.writeStringProperty("main", jvm.main());
            json.writeStringProperty("jdk", jvm.jdk());
            json.writeStringProperty("user", jvm.user());
            json.writeStringProperty("application", jvm.execution().application());
            json.writeStringProperty("version", jvm.execution().version());
            json.writeStringProperty("instance", jvm.execution().instance());
            json.writeObjectPropertyStart("labels");
            jvm.execution().labels().forEach(json::writeStringProperty);
            json.writeEndObject();
            jvm.obstacle().ifPresent(why -> json.writeStringProperty("obstacle", why));
            if (!problem(jvm).isEmpty()) {
                json.writeStringProperty("problem", problem(jvm));
            }
            json.writeBooleanProperty("locks", LockTracer.isOnIn(jvm));
            json.writeBooleanProperty("calls", CallMeter.isOnIn(jvm));
            jvm.announced().ifPresent(recording -> write(json, jvm, recording));
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, Jvm jvm, FlightRecording recording) {
        json.writeObjectPropertyStart("recording");
        if (!recording.since().equals(Instant.EPOCH)) {
            json.writeStringProperty(
                    "since", recording.since().truncatedTo(ChronoUnit.SECONDS).toString());
        }
        json.writeBooleanProperty(
                "agent", jvm.announcement().map(Announcement::byAgent).orElse(false));
        jvm.announcement()
                .flatMap(Announcement::collector)
                .filter(ProcessKey::isAlive)
                .ifPresent(collector -> json.writeNumberProperty("collector", collector.pid()));
        json.writeStringProperty("reduced", recording.reduction());
        json.writeStringProperty("repository", recording.repository().toString());
        json.writeNumberProperty("stackDepth", recording.stackDepth());
        json.writeStringProperty("interval", recording.cpuInterval());
        json.writeArrayPropertyStart("events");
        recording.events().forEach(json::writeString);
        json.writeEndArray();
        json.writeEndObject();
    }
}
