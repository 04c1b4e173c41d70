package dev.heatline.server;

import io.helidon.http.DirectHandler;
import io.helidon.http.HeaderNames;
import io.helidon.http.ServerResponseHeaders;
import io.helidon.http.Status;

/**
 * The answer to a request that the web server refuses by itself, in the form of all others. What it
 * knows about the reason may repeat parts of the request, so only the status is told.
 */
final class DirectAnswer implements DirectHandler {
    private final Metrics metrics;

    DirectAnswer(Metrics metrics) {
        this.metrics = metrics;
    }

    @Override
    public TransportResponse handle(
            TransportRequest request,
            EventType type,
            Status status,
            ServerResponseHeaders headers,
            String message) {
        metrics.add(Metrics.Family.REFUSALS, Metrics.label("status", status.codeText()), 1);
        TransportResponse.Builder response =
                TransportResponse.builder().headers(headers).status(status).keepAlive(false);
        Answer.SAFETY.forEach(response::header);
        return response.header(HeaderNames.CONTENT_TYPE, Answer.JSON)
                .entity(Answer.error(status.reasonPhrase()))
                .build();
    }
}
