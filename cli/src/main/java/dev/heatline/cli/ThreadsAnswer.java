package dev.heatline.cli;

import dev.heatline.collector.jvm.Jvm;
import dev.heatline.collector.proc.StealCounting;
import dev.heatline.collector.threads.ThreadUse;
import dev.heatline.collector.threads.ThreadWatch;
import dev.heatline.model.Provenance;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.core.JsonGenerator;

/**
 * What the threads of a JVM used, as text and as JSON.
 *
 * @param ended whether the JVM did while it was watched
 * @param remarks what a reader has to know besides
 */
record ThreadsAnswer(Jvm jvm, ThreadWatch.Seen seen, boolean ended, List<String> remarks) {
    private static final double NANOS = 1e9;
    private static final List<String> HEADING =
            List.of("cpu s", "steal s", "corrected s", "run queue s", "%");

    String text() {
        StringBuilder text = new StringBuilder();
        head().forEach(line -> text.append(line).append('\n'));
        List<List<String>> rows = new ArrayList<>(List.of(HEADING));
        List<String> names = new ArrayList<>(List.of("thread"));
        List<ThreadUse> used = seen.threads().stream().filter(ThreadsAnswer::isSeen).toList();
        for (ThreadUse thread : used) {
            rows.add(cells(thread));
            names.add(thread.name());
        }
        int[] widths = new int[HEADING.size()];
        for (List<String> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        text.append('\n');
        for (int row = 0; row < rows.size(); row++) {
            for (int i = 0; i < widths.length; i++) {
                String cell = rows.get(row).get(i);
                text.repeat(' ', widths[i] - cell.length()).append(cell).append("  ");
            }
            text.append(names.get(row)).append('\n');
        }
        int idle = seen.threads().size() - used.size();
        if (idle > 0) {
            text.append(idle).append(idle == 1 ? " more thread" : " more threads");
            text.append(" used nothing\n");
        }
        return text.toString();
    }

    private List<String> head() {
        ThreadUse process = seen.process();
        ThreadUse others = seen.others();
        List<String> lines = new ArrayList<>();
        lines.add(
                String.format(
                        Locale.ROOT,
                        "threads: %s, %.1f s, %d looks",
                        jvm,
                        seen.nanos() / NANOS,
                        seen.looks()));
        lines.add(
                String.format(
                        Locale.ROOT,
                        "the machine used %.2f s of CPU time, %.2f s of it stolen (%.1f %%);"
                                + " this JVM %.2f s, %.2f s of it stolen (%.1f %%)",
                        (process.cpuNanos() + others.cpuNanos()) / NANOS,
                        (process.stealNanos() + others.stealNanos()) / NANOS,
                        100 * seen.systemStealShare(),
                        process.cpuNanos() / NANOS,
                        process.stealNanos() / NANOS,
                        100 * seen.stealShare()));
        lines.add(
                switch (seen.counting()) {
                    case INCLUDED -> "the kernel's CPU times have stolen time in them";
                    case EXCLUDED ->
                            "the kernel leaves stolen time out: corrected is what it counts";
                    case UNKNOWN ->
                            "the kernel does not tell whether its CPU times have stolen time in"
                                    + " them; taken for corrected";
                });
        if (seen.throttled().times() > 0) {
            lines.add(
                    String.format(
                            Locale.ROOT,
                            "throttled %d times by its CPU limit, %.2f s of all CPUs together;"
                                    + " that is not steal, and a higher limit ends it",
                            seen.throttled().times(),
                            seen.throttled().nanos() / NANOS));
        }
        lines.addAll(remarks);
        warning().ifPresent(lines::add);
        return lines;
    }

    private Optional<String> warning() {
        return seen.stealShare() < Provenance.NOTABLE_STEAL
                ? Optional.empty()
                : Optional.of(
                        String.format(
                                Locale.ROOT,
                                "warning: %.1f %% of the CPU time was stolen by the hypervisor;"
                                        + " elapsed times and samples by the clock mislead here."
                                        + " Compare corrected times, or measure on a machine with"
                                        + " CPUs of its own",
                                100 * seen.stealShare()));
    }

    private static boolean isSeen(ThreadUse thread) {
        return thread.cpuNanos() > 0 || thread.runQueueNanos() > 0;
    }

    private List<String> cells(ThreadUse thread) {
        return List.of(
                seconds(thread.cpuNanos()),
                seconds(thread.stealNanos()),
                seconds(thread.correctedNanos()),
                seconds(thread.runQueueNanos()),
                String.format(Locale.ROOT, "%.2f", percent(thread)));
    }

    private static String seconds(long nanos) {
        return String.format(Locale.ROOT, "%.3f", nanos / NANOS);
    }

    /** Of the CPU time of the JVM. */
    private double percent(ThreadUse thread) {
        return 100.0 * thread.cpuNanos() / Math.max(1, seen.process().cpuNanos());
    }

    void writeTo(JsonGenerator json) {
        json.writeStartObject();
        json.writeNumberProperty("pid", jvm.pid());
        json.writeStringProperty("main", jvm.main());
        json.writeStringProperty("unit", "s");
        json.writeNumberProperty("duration", seen.nanos() / NANOS);
        json.writeNumberProperty("looks", seen.looks());
        json.writeBooleanProperty("ended", ended);
        json.writeStringProperty("stealInCpuTimes", counted(seen.counting()));
        json.writeNumberProperty("stealPercent", 100 * seen.stealShare());
        json.writeNumberProperty("systemStealPercent", 100 * seen.systemStealShare());
        json.writeObjectPropertyStart("throttled");
        json.writeNumberProperty("times", seen.throttled().times());
        json.writeNumberProperty("time", seen.throttled().nanos() / NANOS);
        json.writeEndObject();
        json.writeArrayPropertyStart("remarks");
        remarks.forEach(json::writeString);
        warning().ifPresent(json::writeString);
        json.writeEndArray();
        json.writeObjectPropertyStart("process");
        write(json, seen.process());
        json.writeNumberProperty("runQueue", seen.process().runQueueNanos() / NANOS);
        json.writeEndObject();
        json.writeObjectPropertyStart("others");
        write(json, seen.others());
        json.writeEndObject();
        json.writeArrayPropertyStart("rows");
        for (ThreadUse thread : seen.threads()) {
            json.writeStartObject();
            json.writeStringProperty("thread", thread.name());
            if (thread.tid() != 0) {
                json.writeNumberProperty("tid", thread.tid());
            }
            write(json, thread);
            json.writeNumberProperty("runQueue", thread.runQueueNanos() / NANOS);
            json.writeNumberProperty("percent", percent(thread));
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static String counted(StealCounting counting) {
        return switch (counting) {
            case INCLUDED -> "yes";
            case EXCLUDED -> "no";
            case UNKNOWN -> "unknown";
        };
    }

    private static void write(JsonGenerator json, ThreadUse used) {
        json.writeNumberProperty("cpu", used.cpuNanos() / NANOS);
        json.writeNumberProperty("steal", used.stealNanos() / NANOS);
        json.writeNumberProperty("corrected", used.correctedNanos() / NANOS);
    }
}
