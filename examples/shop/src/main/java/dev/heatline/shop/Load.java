package dev.heatline.shop;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Customers: a mix of requests that is the same for equal seeds, at a steady mean rate. Each thread
 * sends its own sequence and waits a random time between requests, as independent customers would.
 */
final class Load implements AutoCloseable {
    static final int DEFAULT_RATE = 80;

    private static final int THREADS = 8;
    private static final int CUSTOMERS = 40;

    private final URI shop;
    private final int rate;
    private final AtomicInteger left;
    private final AtomicInteger sent = new AtomicInteger();
    private final List<Thread> threads = new ArrayList<>();

    /** Load of some requests a second in total, until it is closed or enough have been sent. */
    Load(URI shop, int rate, int requests, long seed) {
        this.shop = shop;
        this.rate = rate;
        this.left = new AtomicInteger(requests);
        for (int i = 0; i < THREADS; i++) {
            Random random = new Random(seed * THREADS + i);
            threads.add(new Thread(() -> run(random), "load-" + i));
        }
    }

    void start() {
        threads.forEach(Thread::start);
    }

    /** Waits until enough requests have been sent, or the load was closed. */
    void await() throws InterruptedException {
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /** Requests that were answered. */
    int sent() {
        return sent.get();
    }

    private void run(Random random) {
        long next = System.nanoTime();
        double meanNanos = 1e9 * THREADS / rate;
        try {
            while (left.getAndDecrement() > 0) {
                next += (long) (meanNanos * 2 * random.nextDouble());
                TimeUnit.NANOSECONDS.sleep(next - System.nanoTime());
                send(request(random));
                sent.incrementAndGet();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            // A shop that closes takes its customers along.
            if (left.get() > 0) {
                System.err.println("shop: a customer gives up: " + e.getMessage());
            }
        }
    }

    /** The mix: out of a hundred requests, how many are of which kind. */
    private static String request(Random random) {
        int kind = random.nextInt(100);
        int product = random.nextInt(Database.PRODUCTS);
        String customer = "customer=c" + random.nextInt(CUSTOMERS);
        if (kind < 13) {
            return "GET /search?q=" + Database.word(random) + "+" + Database.word(random);
        } else if (kind < 28) {
            return "GET /prices";
        } else if (kind < 38) {
            return "GET /category?id=" + random.nextInt(Database.CATEGORIES / 3);
        } else if (kind < 40) {
            return "GET /bestsellers?category=" + random.nextInt(Database.CATEGORIES);
        } else if (kind < 50) {
            return "GET /product?id=" + product;
        } else if (kind < 59) {
            return "POST /basket?" + customer + "&quantity=1&product=" + product;
        } else if (kind < 63) {
            return "GET /basket?" + customer;
        } else if (kind < 67) {
            return "POST /checkout?" + customer;
        } else if (kind < 75) {
            return "GET /picture?id=" + product;
        } else if (kind < 83) {
            return "GET /recommendations?id=" + product;
        } else if (kind < 88) {
            return "GET /stock?id=" + product;
        } else if (kind < 92) {
            return "POST /stock/take";
        } else {
            return kind < 96 ? "GET /orders" : "POST /orders/archive";
        }
    }

    private void send(String request) throws IOException {
        int space = request.indexOf(' ');
        HttpURLConnection connection =
                (HttpURLConnection)
                        shop.resolve(request.substring(space + 1)).toURL().openConnection();
        connection.setRequestMethod(request.substring(0, space));
        boolean refused = connection.getResponseCode() >= 400;
        // Read to its end, so that the connection is used again.
        try (InputStream in = refused ? connection.getErrorStream() : connection.getInputStream()) {
            in.readAllBytes();
        }
    }

    @Override
    public void close() {
        left.set(0);
        threads.forEach(Thread::interrupt);
    }
}
