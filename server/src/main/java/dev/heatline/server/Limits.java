package dev.heatline.server;

import java.time.Duration;

/**
 * How much is taken from whom.
 *
 * @param bodyBytes of one upload as it is sent
 * @param unpackedBytes of one upload when it is unpacked
 * @param waitingUploads that are received and not yet stored; who comes later is sent away
 * @param applications that may be known at a time
 * @param executions that may be heard of within a week, of all applications together
 * @param requestsPerSecond of one token, or of one address if there are no tokens; 0 for any number
 * @param connections open at a time
 * @param silence how long a client may send nothing in the middle of a request
 * @param bodyTime how long a whole upload may take to arrive
 */
public record Limits(
        long bodyBytes,
        long unpackedBytes,
        int waitingUploads,
        int applications,
        int executions,
        int requestsPerSecond,
        int connections,
        Duration silence,
        Duration bodyTime) {

    private static final long MEBIBYTE = 1 << 20;

    /** For two cores and some gigabytes of memory. */
    public static final Limits DEFAULT =
            new Limits(
                    64 * MEBIBYTE,
                    512 * MEBIBYTE,
                    256,
                    10_000,
                    100_000,
                    2_000,
                    2_000,
                    Duration.ofSeconds(20),
                    Duration.ofMinutes(2));

    public Limits withBodyBytes(long bytes) {
        return new Limits(
                bytes,
                unpackedBytes,
                waitingUploads,
                applications,
                executions,
                requestsPerSecond,
                connections,
                silence,
                bodyTime);
    }

    public Limits withUnpackedBytes(long bytes) {
        return new Limits(
                bodyBytes,
                bytes,
                waitingUploads,
                applications,
                executions,
                requestsPerSecond,
                connections,
                silence,
                bodyTime);
    }

    public Limits withNames(int newApplications, int newExecutions) {
        return new Limits(
                bodyBytes,
                unpackedBytes,
                waitingUploads,
                newApplications,
                newExecutions,
                requestsPerSecond,
                connections,
                silence,
                bodyTime);
    }

    public Limits withRequestsPerSecond(int requests) {
        return new Limits(
                bodyBytes,
                unpackedBytes,
                waitingUploads,
                applications,
                executions,
                requests,
                connections,
                silence,
                bodyTime);
    }

    public Limits withTimes(Duration newSilence, Duration newBodyTime) {
        return new Limits(
                bodyBytes,
                unpackedBytes,
                waitingUploads,
                applications,
                executions,
                requestsPerSecond,
                connections,
                newSilence,
                newBodyTime);
    }
}
