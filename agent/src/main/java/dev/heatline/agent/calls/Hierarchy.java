package dev.heatline.agent.calls;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which class extends or implements which, by internal names: classes of the same name from several
 * loaders are taken together. What is not known yet may be anything.
 */
final class Hierarchy {
    private static final String OBJECT = "java/lang/Object";

    private final Map<String, Set<String>> supers = new HashMap<>();
    private final Map<String, Set<String>> subs = new HashMap<>();

    void add(String name, @Nullable String superName, Collection<String> interfaces) {
        Set<String> known = supers.computeIfAbsent(name, any -> new HashSet<>());
        if (superName != null) {
            add(known, name, superName);
        }
        for (String each : interfaces) {
            add(known, name, each);
        }
    }

    private void add(Set<String> known, String name, String above) {
        if (known.add(above)) {
            subs.computeIfAbsent(above, any -> new HashSet<>()).add(name);
        }
    }

    /** Whether a class was added. */
    boolean knows(String name) {
        return supers.containsKey(name);
    }

    /** Whether an object of the one may be one of the other. */
    boolean isSubtype(String name, String of) {
        if (name.equals(of) || of.equals(OBJECT)) {
            return true;
        }
        Set<String> seen = new HashSet<>(Set.of(name));
        Deque<String> todo = new ArrayDeque<>(seen);
        while (!todo.isEmpty()) {
            String next = todo.pop();
            Set<String> above = next.equals(OBJECT) ? Set.of() : supers.get(next);
            if (above == null) {
                // Not loaded yet.
                return true;
            }
            if (above.contains(of)) {
                return true;
            }
            for (String each : above) {
                if (seen.add(each)) {
                    todo.push(each);
                }
            }
        }
        return false;
    }

    /** Whether a call of a method of the one may lead to a method that the other declares. */
    boolean mayLead(String calledOn, String declaring) {
        if (isSubtype(declaring, calledOn) || isSubtype(calledOn, declaring)) {
            return true;
        }
        // What a class inherits may be what one of its interfaces asks for.
        Set<String> seen = new HashSet<>(Set.of(declaring));
        Deque<String> todo = new ArrayDeque<>(seen);
        while (!todo.isEmpty()) {
            for (String each : subs.getOrDefault(todo.pop(), Set.of())) {
                if (isSubtype(each, calledOn)) {
                    return true;
                }
                if (seen.add(each)) {
                    todo.push(each);
                }
            }
        }
        return false;
    }

    /** All that are above it, as far as they are known, itself not included. */
    Set<String> above(String name) {
        return closure(Set.of(name), supers);
    }

    /** All that are below it, as far as they are known, itself not included. */
    Set<String> below(String name) {
        return closure(Set.of(name), subs);
    }

    /**
     * All that an object may be which has what that class declares: what is above it, and above all
     * that extend it.
     */
    Set<String> around(String name) {
        Set<String> objects = closure(Set.of(name), subs);
        objects.add(name);
        return closure(objects, supers);
    }

    private static Set<String> closure(Set<String> from, Map<String, Set<String>> next) {
        Set<String> seen = new HashSet<>();
        Deque<String> todo = new ArrayDeque<>(from);
        while (!todo.isEmpty()) {
            for (String each : next.getOrDefault(todo.pop(), Set.of())) {
                if (seen.add(each)) {
                    todo.push(each);
                }
            }
        }
        return seen;
    }
}
