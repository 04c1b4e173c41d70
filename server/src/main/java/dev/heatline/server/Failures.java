package dev.heatline.server;

import dev.heatline.formats.FormatException;
import dev.heatline.model.ModelException;
import dev.heatline.server.measure.MeasureException;
import dev.heatline.store.StoreException;
import io.helidon.webserver.http.HttpRouting;
import java.util.Locale;

/** What becomes of a request that went wrong: a status, and one line of JSON that says why. */
final class Failures {
    private static final System.Logger LOG = System.getLogger(Failures.class.getName());
    private static final int RETRY_SECONDS = 30;

    private Failures() {}

    static HttpRouting.Builder handled(HttpRouting.Builder routing) {
        return routing.error(Refusal.class, (_, response, e) -> Answer.refuse(response, e))
                .error(
                        FormatException.class,
                        (_, response, e) -> Answer.refuse(response, unprocessable(e)))
                .error(
                        ModelException.class,
                        (_, response, e) -> Answer.refuse(response, unprocessable(e)))
                .error(
                        MeasureException.class,
                        (_, response, e) ->
                                Answer.refuse(
                                        response,
                                        new Refusal(e.status(), String.valueOf(e.getMessage()))))
                .error(
                        StoreException.class,
                        (_, response, e) -> {
                            LOG.log(System.Logger.Level.WARNING, e.getMessage());
                            Answer.refuse(response, storeFailed(e));
                        });
    }

    private static Refusal unprocessable(RuntimeException e) {
        return new Refusal(422, String.valueOf(e.getMessage()));
    }

    /** Senders keep what they have, and send it again later. */
    private static Refusal storeFailed(StoreException e) {
        return new Refusal(
                isFull(e) ? 507 : 503,
                "the server's store fails: " + e.getMessage(),
                RETRY_SECONDS);
    }

    private static boolean isFull(StoreException e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            String message = String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT);
            if (message.contains("no space left") || message.contains("disk is full")) {
                return true;
            }
        }
        return false;
    }
}
