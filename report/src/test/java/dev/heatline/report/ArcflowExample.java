package dev.heatline.report;

import dev.heatline.model.Consumer;
import dev.heatline.model.Profile;
import dev.heatline.model.Provenance;
import dev.heatline.model.Resource;
import dev.heatline.model.StartEndEvents;

/** The running example of 004: AC_test, ten seconds of CPU time (figure 2, table 3). */
final class ArcflowExample {
    private static final String[] EVENTS = {
        "0>Main", "0>A", "1>B", "2<B", "2>B", "3>C", "4<C", "4<B", "4<A", "4>B", "5>A", "6>C",
        "7<C", "7>X", "7>E", "8<E", "8>F", "9<F", "9>G", "10<G", "10<X", "10<A", "10<B", "10<Main"
    };

    private ArcflowExample() {}

    static Profile profile() {
        StartEndEvents events = new StartEndEvents(Resource.seconds("cpu", "calls"), "method");
        events.switchTo(0, Consumer.thread("", "AC_test_pidtid"));
        for (String event : EVENTS) {
            int at = Math.max(event.indexOf('>'), event.indexOf('<'));
            long reading = Long.parseLong(event.substring(0, at)) * Resource.NANOS_PER_SECOND;
            Consumer consumer = Consumer.method(event.substring(at + 1));
            if (event.charAt(at) == '>') {
                events.start(reading, consumer);
            } else {
                events.end(reading, consumer);
            }
        }
        return events.build(Provenance.NONE);
    }
}
