package dev.heatline.model;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One run of a program: what profiles are kept apart by.
 *
 * @param application what the program is called
 * @param version which build of it, empty if unknown
 * @param instance which of the processes that run it, empty if unknown
 * @param labels whatever else is known by name, such as {@code zone}
 */
public record Execution(
        String application, String version, String instance, SortedMap<String, String> labels) {

    public Execution {
        labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
    }

    public Execution(String application, String version, String instance) {
        this(application, version, instance, new TreeMap<>());
    }
}
