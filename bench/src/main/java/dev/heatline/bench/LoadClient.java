package dev.heatline.bench;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/** Clients of a server: some upload, one asks. */
final class LoadClient implements AutoCloseable {
    private static final int TOO_MANY = 429;
    private static final int BUSY = 503;

    private final String server;
    private final UploadPlan plan;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Recorder latencies = new Recorder(3);
    private final AtomicLong uploads = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean stopped;

    LoadClient(String server, UploadPlan plan) {
        this.server = server;
        this.plan = plan;
    }

    /** Uploads so many, and returns when they are stored. */
    void upload(int connections, int number) throws InterruptedException {
        AtomicInteger left = new AtomicInteger(number);
        for (int i = 0; i < connections; i++) {
            start(
                    () -> {
                        while (left.getAndDecrement() > 0) {
                            uploadNext();
                        }
                    });
        }
        join();
    }

    /**
     * Begins to upload, until it is told to stop.
     *
     * @param perSecond of all connections together; 0 for as many as possible
     */
    void start(int connections, int perSecond) {
        stopped = false;
        AtomicInteger number = new AtomicInteger();
        long begin = System.nanoTime();
        for (int i = 0; i < connections; i++) {
            start(
                    () -> {
                        while (!stopped) {
                            if (perSecond > 0) {
                                sleepUntil(begin, number.getAndIncrement(), perSecond);
                            }
                            uploadNext();
                        }
                    });
        }
    }

    /** Begins to ask. An answer's time counts from when the question was due, not when it left. */
    void startAsking(int perSecond, IntFunction<String> question) {
        long begin = System.nanoTime();
        start(
                () -> {
                    for (int number = 0; !stopped; number++) {
                        long due = sleepUntil(begin, number, perSecond);
                        ask(question.apply(number));
                        latencies.recordValue(System.nanoTime() - due);
                    }
                });
    }

    private static long sleepUntil(long begin, int number, int perSecond)
            throws InterruptedException {
        long due = begin + number * 1_000_000_000L / perSecond;
        TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
        return due;
    }

    /** Asks one question and returns how many nanoseconds the answer took. */
    long ask(String question) throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(server + "/api/v1/" + question)).build();
        long start = System.nanoTime();
        HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
        long nanos = System.nanoTime() - start;
        if (response.statusCode() != 200) {
            throw new IOException(
                    question + " is answered " + response.statusCode() + ": " + response.body());
        }
        return nanos;
    }

    private void uploadNext() throws IOException, InterruptedException {
        UploadPlan.Step step = plan.next();
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(server + "/api/v1/profiles?" + step.query()))
                        .header("Heatline-Upload-Id", step.id())
                        .POST(BodyPublishers.ofByteArray(step.body()))
                        .build();
        HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
        int status = response.statusCode();
        if (status == TOO_MANY || status == BUSY) {
            refused.incrementAndGet();
        } else if (status == 201) {
            uploads.incrementAndGet();
        } else {
            throw new IOException("an upload is answered " + status + ": " + response.body());
        }
    }

    /** Uploads that were stored so far. */
    long uploads() {
        return uploads.get();
    }

    /** Uploads that were sent away because the server was busy. */
    long refused() {
        return refused.get();
    }

    /** How long answers took since the last call. */
    Histogram takeLatencies() {
        return latencies.getIntervalHistogram();
    }

    void stop() throws InterruptedException {
        stopped = true;
        join();
    }

    private interface Work {
        void run() throws IOException, InterruptedException;
    }

    private void start(Work work) {
        threads.add(
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    try {
                                        work.run();
                                    } catch (IOException e) {
                                        stopped = true;
                                        throw new IllegalStateException(e);
                                    } catch (InterruptedException e) {
                                        Thread.currentThread().interrupt();
                                    }
                                }));
    }

    private void join() throws InterruptedException {
        for (Thread thread : threads) {
            thread.join();
        }
        threads.clear();
    }

    @Override
    public void close() {
        stopped = true;
        http.close();
    }
}
