package dev.heatline.server.query;

import dev.heatline.model.CallGraph;
import dev.heatline.model.CallsBesideSamples;
import dev.heatline.model.Column;
import dev.heatline.model.Consumer;
import dev.heatline.model.ThreadValues;
import dev.heatline.report.BesideFields;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import tools.jackson.core.JsonGenerator;

/**
 * Writes the stanzas of xarc: a method with its callers, callees and threads, and which part of its
 * time each has (000 eq. 3.6, 3.7, 3.12, 3.15, 3.22).
 *
 * @param limit how many callers, callees and threads to write of each, those with most time
 * @param lines if lines are wanted
 * @param changes if there is a baseline
 * @param beside if there are both samples and exact calls
 */
record Stanzas(
        Metrics metrics,
        int limit,
        Optional<MethodLines> lines,
        Optional<Changes> changes,
        Optional<CallsBesideSamples> beside) {

    /** What a method used on behalf of a caller, or a callee on behalf of the method. */
    private record Neighbour(MethodRow row, double time) {}

    private record OnThread(String thread, double time) {}

    void json(JsonGenerator json, int method) {
        CallGraph graph = metrics.graph();
        Consumer consumer = metrics.profile().consumerAt(method);
        json.writeStartObject();
        json.writeName("self").writeStartObject();
        MethodRow.of(metrics, method).json(json, metrics);
        json.writeNumberProperty("methodTime", graph.methodTime(method));
        json.writeNumberProperty("selfTime", graph.selfTime(method));
        json.writeStringProperty("class", consumer.owner());
        json.writeStringProperty("method", consumer.name());
        json.writeStringProperty("descriptor", consumer.descriptor());
        beside.ifPresent(it -> new BesideFields(it).json(json, method));
        changes.ifPresent(it -> it.json(json, method));
        metrics.threads().ifPresent(threads -> threads(json, threads, method));
        json.writeEndObject();
        neighbours(json, "parents", "callerTime", callers(graph, method));
        neighbours(json, "children", "calleeTime", callees(graph, method));
        lines.ifPresent(it -> it.json(json, method));
        json.writeEndObject();
    }

    private List<Neighbour> callers(CallGraph graph, int method) {
        List<Neighbour> callers = new ArrayList<>();
        for (int arc : graph.arcsTo(method)) {
            callers.add(
                    new Neighbour(
                            row(graph, arc, graph.caller(arc), graph.arcCum(arc)),
                            graph.callerTime(arc)));
        }
        return callers;
    }

    private List<Neighbour> callees(CallGraph graph, int method) {
        List<Neighbour> callees = new ArrayList<>();
        for (int arc : graph.arcsFrom(method)) {
            callees.add(
                    new Neighbour(
                            row(graph, arc, graph.callee(arc), graph.arcNet(arc)),
                            graph.calleeTime(arc)));
        }
        return callees;
    }

    private MethodRow row(CallGraph graph, int arc, int other, long cum) {
        return new MethodRow(
                other,
                metrics.name(other),
                graph.arcCalls(arc),
                graph.arcBase(arc),
                cum,
                graph.isRecursive(other),
                metrics.countedOnly().arcCalls(arc));
    }

    private void neighbours(JsonGenerator json, String name, String timeName, List<Neighbour> all) {
        List<Neighbour> used =
                all.stream()
                        .filter(it -> it.row.isUsed())
                        .sorted(Comparator.comparing(Neighbour::row, MethodRow.BY_CUM))
                        .toList();
        json.writeName(name).writeStartArray();
        for (Neighbour one : used.subList(0, Math.min(limit, used.size()))) {
            json.writeStartObject();
            one.row.json(json, metrics);
            json.writeNumberProperty(timeName, one.time);
            json.writeEndObject();
        }
        json.writeEndArray();
        leftOut(json, name, used.size());
    }

    private void threads(JsonGenerator json, ThreadValues threads, int method) {
        List<OnThread> all =
                IntStream.of(threads.threadsOf(method))
                        .mapToObj(id -> new OnThread(thread(id), threads.threadTime(method, id)))
                        .sorted(
                                Comparator.comparingDouble(OnThread::time)
                                        .reversed()
                                        .thenComparing(OnThread::thread))
                        .toList();
        json.writeName("threads").writeStartArray();
        for (OnThread one : all.subList(0, Math.min(limit, all.size()))) {
            json.writeStartObject();
            json.writeStringProperty("thread", one.thread);
            json.writeNumberProperty("threadTime", one.time);
            json.writeEndObject();
        }
        json.writeEndArray();
        leftOut(json, "threads", all.size());
    }

    private String thread(int id) {
        return id == Column.NO_THREAD ? "unknown thread" : metrics.profile().consumerAt(id).name();
    }

    private void leftOut(JsonGenerator json, String name, int all) {
        if (all > limit) {
            json.writeNumberProperty(name + "LeftOut", all - limit);
        }
    }
}
