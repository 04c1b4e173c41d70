package dev.heatline.collector.spool;

import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * What became of an upload.
 *
 * @param outcome what to do with the profile
 * @param why one line for people; empty if it was taken as something new
 * @param retryAfter how long the server wants to be left alone; zero if it did not say
 * @param said what the server answered, if it took it
 */
public record Answer(Outcome outcome, String why, Duration retryAfter, String said) {

    private Answer(Outcome outcome, String why, Duration retryAfter) {
        this(outcome, why, retryAfter, "");
    }

    /** What to do with a profile that was sent. */
    public enum Outcome {
        /** The server has it. */
        TAKEN,
        /** The server will never take it. */
        REFUSED,
        /** The server failed at it, and may well take others. */
        FAILED,
        /** The server does not take it yet, and may well take others. */
        NOT_YET,
        /** Somebody has to do something first. */
        FORBIDDEN,
        /** Try again. */
        LATER
    }

    /** What the content of a request is to blame for, however often it is sent. */
    private static final Set<Integer> REFUSALS = Set.of(400, 413, 415, 422);

    /** What comes before its time, or from one application too many, or too fast. */
    private static final Set<Integer> NOT_YET = Set.of(409, 429);

    /** No server gets to stop a collector for longer. */
    private static final long MAX_RETRY_SECONDS = 60;

    private static final int MAX_WHY = 200;
    private static final String KNOWN = "was there already";

    /** Whether the server has it. */
    public boolean isTaken() {
        return outcome == Outcome.TAKEN;
    }

    /**
     * @param token the file with what was sent to show who asks
     */
    static Answer of(URI server, HttpResponse<String> response, Optional<Path> token) {
        int status = response.statusCode();
        if (status / 100 == 2) {
            String why = status == 200 ? KNOWN : "";
            return new Answer(Outcome.TAKEN, why, Duration.ZERO, response.body());
        }
        String why = "(status " + status + said(response.body()) + ")";
        if (REFUSALS.contains(status)) {
            return new Answer(Outcome.REFUSED, server + " refuses it " + why, Duration.ZERO);
        }
        if (status == 401 || status == 403) {
            return forbidden(server + unwelcome(status, token, why) + " with --token-file");
        }
        if (status / 100 == 3) {
            String there = response.headers().firstValue("Location").orElse("elsewhere");
            return unreachable(server + " sends uploads to " + oneLine(there) + "; give that one");
        }
        if (status == 404 || status == 405) {
            return unreachable(server + " takes no profiles " + why + "; is it Heatline's?");
        }
        return new Answer(later(status), server + " cannot take it now " + why, wait(response));
    }

    private static String unwelcome(int status, Optional<Path> token, String why) {
        if (token.isEmpty()) {
            return " wants a token for uploads " + why + "; give one";
        }
        String what = status == 401 ? " does not know" : " takes no uploads with";
        return what + " the token in " + token.get() + " " + why + "; give another";
    }

    private static Outcome later(int status) {
        if (NOT_YET.contains(status)) {
            return Outcome.NOT_YET;
        }
        // 503 is a server that takes nothing from anybody now.
        return status / 100 == 5 && status != 503 ? Outcome.FAILED : Outcome.LATER;
    }

    static Answer forbidden(String why) {
        return new Answer(Outcome.FORBIDDEN, why, Duration.ZERO);
    }

    static Answer unreachable(String why) {
        return new Answer(Outcome.LATER, why, Duration.ZERO);
    }

    private static Duration wait(HttpResponse<String> response) {
        String seconds = response.headers().firstValue("Retry-After").orElse("");
        return seconds.matches("\\d{1,9}")
                ? Duration.ofSeconds(Math.min(MAX_RETRY_SECONDS, Long.parseLong(seconds)))
                : Duration.ZERO;
    }

    private static String said(String body) {
        String line = oneLine(body);
        return line.isEmpty() ? "" : ": " + line;
    }

    /** Whatever a server sends ends up in logs and on terminals. */
    private static String oneLine(String text) {
        String start = text.length() > MAX_WHY ? text.substring(0, MAX_WHY) + "…" : text;
        return start.replaceAll("[\\p{Cntrl}\\s]+", " ").strip();
    }
}
