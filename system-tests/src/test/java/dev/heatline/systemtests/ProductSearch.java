package dev.heatline.systemtests;

import java.util.concurrent.locks.ReentrantLock;

/**
 * A program with the lock problem of 001 §4.3.3: many look products up by their number, which is
 * quick, one searches for them by name, which is not, and all of them under one lock. Runs until it
 * is ended.
 */
final class ProductSearch {
    private static final int LOOKUPS = 3;
    private static final long LOOKUP_MILLIS = 1;
    private static final long SEARCH_MILLIS = 8;

    /** What somebody may call a thread. */
    static final String HOSTILE = "<img src=x onerror=alert(1)>\u202e";

    private final ReentrantLock products = new ReentrantLock();
    private final Object log = new Object();

    private ProductSearch() {}

    /** Starts all threads. */
    public static void main(String[] words) {
        ProductSearch search = new ProductSearch();
        for (int i = 1; i <= LOOKUPS; i++) {
            Thread.ofPlatform().name("lookup-" + i).start(search::lookUp);
        }
        Thread.ofPlatform().name(HOSTILE).start(search::search);
    }

    private void lookUp() {
        while (true) {
            byNumber();
            write();
        }
    }

    private void search() {
        while (true) {
            byName();
            pause(LOOKUP_MILLIS);
        }
    }

    private void byNumber() {
        products.lock();
        try {
            pause(LOOKUP_MILLIS);
        } finally {
            products.unlock();
        }
    }

    private void byName() {
        products.lock();
        try {
            pause(SEARCH_MILLIS);
        } finally {
            products.unlock();
        }
    }

    private void write() {
        synchronized (log) {
            pause(LOOKUP_MILLIS);
        }
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
