package dev.heatline.model;

import java.util.Collections;
import java.util.List;

/**
 * A call chain as a tracer saw it.
 *
 * @param methods innermost first
 * @param lines where in its method each frame stood, likewise; 0 where unknown
 */
public record CallChain(List<Consumer> methods, List<Integer> lines) {

    /** Where no chain was taken. */
    public static final CallChain NONE = new CallChain(List.of(), List.of());

    public CallChain {
        methods = List.copyOf(methods);
        lines = List.copyOf(lines);
        if (methods.size() != lines.size()) {
            throw new ModelException(
                    methods.size() + " methods cannot stand at " + lines.size() + " lines");
        }
    }

    /** Without lines. */
    public static CallChain of(List<Consumer> methods) {
        return new CallChain(methods, Collections.nCopies(methods.size(), 0));
    }
}
