package dev.heatline.report;

import dev.heatline.model.CallGraph;
import java.util.stream.IntStream;

/** Which consumers a report by consumer speaks of. */
final class Consumers {

    private Consumers() {}

    static CallGraph graph(Measurement measured) {
        return CallGraph.of(measured.profile(), measured.self(), measured.calls(), null);
    }

    /** Those that used something or occurred; the others belong to other resources. */
    static int[] inUse(Measurement measured, CallGraph graph) {
        return IntStream.range(0, measured.profile().consumerCount())
                .filter(consumer -> graph.cum(consumer) > 0 || graph.calls(consumer) > 0)
                .toArray();
    }
}
