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
 * @param receivedBytes of uploads that are being received, all together
 * @param connections open at a time; one address may have half of them
 * @param silence how long a client may keep the server waiting for a piece of a request or answer
 * @param requestTime how long it may keep the server waiting for a whole request
 */
public record Limits(
        long bodyBytes,
        long unpackedBytes,
        int waitingUploads,
        int applications,
        int executions,
        int requestsPerSecond,
        long receivedBytes,
        int connections,
        Duration silence,
        Duration requestTime) {

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
                    Runtime.getRuntime().maxMemory() / 4,
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
                receivedBytes,
                connections,
                silence,
                requestTime);
    }

    public Limits withUnpackedBytes(long bytes) {
        return new Limits(
                bodyBytes,
                bytes,
                waitingUploads,
                applications,
                executions,
                requestsPerSecond,
                receivedBytes,
                connections,
                silence,
                requestTime);
    }

    public Limits withNames(int newApplications, int newExecutions) {
        return new Limits(
                bodyBytes,
                unpackedBytes,
                waitingUploads,
                newApplications,
                newExecutions,
                requestsPerSecond,
                receivedBytes,
                connections,
                silence,
                requestTime);
    }

    public Limits withRequestsPerSecond(int requests) {
        return new Limits(
                bodyBytes,
                unpackedBytes,
                waitingUploads,
                applications,
                executions,
                requests,
                receivedBytes,
                connections,
                silence,
                requestTime);
    }

    public Limits withTimes(Duration newSilence, Duration newRequestTime) {
        return new Limits(
                bodyBytes,
                unpackedBytes,
                waitingUploads,
                applications,
                executions,
                requestsPerSecond,
                receivedBytes,
                connections,
                newSilence,
                newRequestTime);
    }

    public Limits withReceivedBytes(long bytes) {
        return new Limits(
                bodyBytes,
                unpackedBytes,
                waitingUploads,
                applications,
                executions,
                requestsPerSecond,
                bytes,
                connections,
                silence,
                requestTime);
    }

    public Limits withConnections(int open) {
        return new Limits(
                bodyBytes,
                unpackedBytes,
                waitingUploads,
                applications,
                executions,
                requestsPerSecond,
                receivedBytes,
                open,
                silence,
                requestTime);
    }
}
