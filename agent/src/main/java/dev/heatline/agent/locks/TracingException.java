package dev.heatline.agent.locks;

/** Tracing cannot begin, for a reason that the person who wants it can understand. */
final class TracingException extends Exception {
    TracingException(String message) {
        super(message);
    }
}
