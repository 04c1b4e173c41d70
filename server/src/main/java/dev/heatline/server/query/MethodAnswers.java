package dev.heatline.server.query;

import dev.heatline.model.Consumer;
import dev.heatline.model.ConsumerType;
import dev.heatline.model.MethodFinder;
import dev.heatline.model.Profile;
import dev.heatline.model.Regex;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** What methods used: {@code /methods}, {@code /method} and {@code /classes}. */
final class MethodAnswers {
    private static final int USUAL_ROWS = 100;
    private static final int MOST_ROWS = 10_000;

    /** An editor shows a few callers and callees, and has many methods on a page. */
    private static final int USUAL_NEIGHBOURS = 10;

    private static final int MOST_NEIGHBOURS = 1_000;

    /** A file seldom has more classes that are not within one another. */
    private static final int LIGHT_CLASSES = 10;

    private final Questions questions;
    private final Together together;

    MethodAnswers(Questions questions, Together together) {
        this.questions = questions;
        this.together = together;
    }

    /** The rows of xprof: those that are wanted, in the order that is wanted. */
    byte[] methods(Params params) {
        String sort = params.word("sort", "base", List.of("base", "cum", "calls", "name"));
        Optional<Pattern> filter = params.one("filter").map(Regex::compile);
        int limit = params.number("limit", USUAL_ROWS, 1, MOST_ROWS);
        int offset = params.number("offset", 0, 0, Integer.MAX_VALUE);
        Chosen chosen = questions.chosen(params);
        Metrics metrics = chosen.metrics();
        List<MethodRow> rows = Regex.within(Filter.LONGEST_SEARCH, () -> rows(metrics, filter));
        rows.sort(MethodRow.ORDERS.get(sort));
        return Json.object(
                json -> {
                    Json.question(json, chosen);
                    Json.head(json, "xprof", chosen, metrics);
                    int from = Math.min(offset, rows.size());
                    int end = (int) Math.min(rows.size(), (long) from + limit);
                    json.writeNumberProperty("found", rows.size());
                    json.writeNumberProperty("leftOut", rows.size() - (end - from));
                    json.writeName("rows").writeStartArray();
                    for (MethodRow row : rows.subList(from, end)) {
                        json.writeStartObject();
                        row.json(json, metrics);
                        json.writeEndObject();
                    }
                    json.writeEndArray();
                });
    }

    private static List<MethodRow> rows(Metrics metrics, Optional<Pattern> filter) {
        List<MethodRow> rows = new ArrayList<>();
        int root = metrics.profile().consumer(Profile.ROOT);
        for (int id = 0; id < metrics.profile().consumerCount(); id++) {
            MethodRow row = MethodRow.of(metrics, id);
            boolean speaksOfRoot = id == root && row.base() == 0;
            if (row.isUsed() && !speaksOfRoot && isFound(filter, row.name())) {
                rows.add(row);
            }
        }
        return rows;
    }

    private static boolean isFound(Optional<Pattern> filter, String name) {
        return filter.isEmpty() || Regex.find(filter.get().matcher(name), name);
    }

    /** The stanzas of xarc of one method, all its overloads if no parameters are given. */
    byte[] method(Params params) {
        String name = params.require("name", "Class::method");
        int limit = params.number("limit", USUAL_ROWS, 1, MOST_NEIGHBOURS);
        Sides sides = questions.sides(params);
        Chosen chosen = sides.now();
        Metrics metrics = chosen.metrics();
        List<Integer> found =
                chosen.isEmpty()
                        ? List.of()
                        : MethodFinder.find(
                                chosen.profile(), ShortName.method(chosen.profile(), name));
        MethodLines lines = MethodLines.of(metrics, found);
        return stanzas(
                chosen,
                metrics,
                found,
                new Stanzas(
                        metrics,
                        limit,
                        Optional.of(lines),
                        changes(sides),
                        together.beside(chosen)));
    }

    /** Whether a question for classes is one of those an editor asks all the time. */
    static boolean isLight(Params params) {
        return params.given("class").size() <= LIGHT_CLASSES
                && !params.flag("lines")
                && params.number("limit", USUAL_NEIGHBOURS, 1, MOST_NEIGHBOURS) <= USUAL_NEIGHBOURS;
    }

    /** The stanzas of xarc of all methods of some classes and their inner classes. */
    byte[] classes(Params params) {
        SortedSet<String> classes = new TreeSet<>(params.given("class"));
        if (classes.isEmpty()) {
            params.require("class", "com.shop.Orders");
        }
        int limit = params.number("limit", USUAL_NEIGHBOURS, 1, MOST_NEIGHBOURS);
        boolean lines = params.flag("lines");
        Sides sides = questions.sides(params);
        Chosen chosen = sides.now();
        Metrics metrics = chosen.metrics();
        SortedSet<Integer> found = new TreeSet<>();
        for (String name : classes) {
            addMethods(found, chosen.profile(), name, name);
            // The name of an inner class begins with that of the outer one and a dollar sign.
            addMethods(found, chosen.profile(), name + '$', name + (char) ('$' + 1));
        }
        return stanzas(
                chosen,
                metrics,
                found,
                new Stanzas(
                        metrics,
                        limit,
                        lines ? Optional.of(MethodLines.of(metrics, found)) : Optional.empty(),
                        changes(sides),
                        Optional.empty()));
    }

    private static Optional<Changes> changes(Sides sides) {
        return sides.before().flatMap(before -> Changes.between(before, sides.now()));
    }

    private static byte[] stanzas(
            Chosen chosen, Metrics metrics, Iterable<Integer> methods, Stanzas stanzas) {
        return Json.object(
                json -> {
                    Json.question(json, chosen);
                    Json.head(json, "xarc", chosen, metrics);
                    int left = MOST_ROWS;
                    int leftOut = 0;
                    json.writeName("stanzas").writeStartArray();
                    for (int method : methods) {
                        if (!MethodRow.of(metrics, method).isUsed()) {
                            continue;
                        }
                        if (left-- > 0) {
                            stanzas.json(json, method);
                        } else {
                            leftOut++;
                        }
                    }
                    json.writeEndArray();
                    json.writeNumberProperty("leftOut", leftOut);
                });
    }

    /** Adds the methods of classes between two names: consumers are sorted, so it is a range. */
    private static void addMethods(
            SortedSet<Integer> found, Profile profile, String first, String last) {
        int from = firstFrom(profile, first);
        for (int id = from; id < profile.consumerCount(); id++) {
            Consumer consumer = profile.consumerAt(id);
            boolean within =
                    first.equals(last)
                            ? consumer.owner().equals(first)
                            : consumer.owner().compareTo(last) < 0;
            if (!consumer.isMethod() || !within) {
                return;
            }
            found.add(id);
        }
    }

    /** The first method of this class or a later one. O(log consumers). */
    private static int firstFrom(Profile profile, String className) {
        Consumer wanted = new Consumer(ConsumerType.METHOD, className, "", "");
        int low = 0;
        int high = profile.consumerCount();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (profile.consumerAt(middle).compareTo(wanted) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
