package dev.heatline.store;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Finds the stored profiles of a selection as they were at one moment. */
final class Selected {
    private final Reading reading;
    private final Selection selection;
    private final long fromNanos;
    private final long untilNanos;
    private final long application;
    private final List<ExecutionRecord> executions = new ArrayList<>();

    /** A stored profile without its values. */
    interface Visitor {
        void visit(byte[] headKey, Head head);
    }

    Selected(Reading reading, Selection selection) {
        this.reading = reading;
        this.selection = selection;
        fromNanos = Keys.nanos(selection.from());
        untilNanos = Keys.nanosUntil(selection.until());
        byte[] known = reading.get(Keys.application(selection.application()));
        application = known == null ? 0 : Application.read(known).number();
        if (known != null) {
            findExecutions();
        }
    }

    private void findExecutions() {
        byte[] start = Keys.of(Keys.EXECUTION, application);
        try (Scan scan = reading.scan(start, Keys.after(start))) {
            for (; scan.isValid(); scan.next()) {
                ExecutionRecord execution = ExecutionRecord.read(scan.value());
                if (selection.includes(execution.execution())) {
                    executions.add(execution);
                }
            }
        }
    }

    /** The number of the application; 0 if nothing is known of it. */
    long application() {
        return application;
    }

    /** What of a profile's time is selected. */
    TimePart part(byte[] headKey, Head head) {
        return new TimePart(Keys.fromNanos(headKey), head.untilNanos(), fromNanos, untilNanos);
    }

    /** Visits all, in the order of their keys for each execution. */
    void each(Visitor visitor) {
        for (ExecutionRecord execution : executions) {
            for (Level level : Level.ALL) {
                each(execution, level, visitor);
            }
        }
    }

    private void each(ExecutionRecord execution, Level level, Visitor visitor) {
        long earliest = execution.earliest(level, fromNanos);
        byte[] start = Keys.head(application, execution.number(), level, earliest);
        byte[] end = Keys.head(application, execution.number(), level, untilNanos);
        try (Scan scan = reading.scan(start, end)) {
            for (; scan.isValid(); scan.next()) {
                Head head = Head.read(scan.value());
                if (head.untilNanos() > fromNanos) {
                    visitor.visit(scan.key(), head);
                }
            }
        }
    }

    /** Visits those that have an upload of a larger number. O(of those). */
    void eachAfter(long upload, Visitor visitor) {
        Set<Long> wanted = new HashSet<>();
        executions.forEach(execution -> wanted.add(execution.number()));
        byte[] start = Keys.byUpload(application, upload + 1);
        byte[] end = Keys.after(Keys.of(Keys.BY_UPLOAD, application));
        try (Scan scan = reading.scan(start, end)) {
            for (; scan.isValid(); scan.next()) {
                byte[] headKey = scan.value();
                Head head = Head.read(reading.require(headKey));
                if (wanted.contains(Keys.secondNumber(headKey))
                        && head.untilNanos() > fromNanos
                        && Keys.fromNanos(headKey) < untilNanos) {
                    visitor.visit(headKey, head);
                }
            }
        }
    }
}
