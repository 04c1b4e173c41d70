package dev.heatline.shop;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The orders since the last archiving. Known trouble: {@link #archive} keeps the lock while it
 * waits for the archive; meanwhile {@link #add} and {@link #size} park.
 */
final class OrderLog {
    private final ReentrantLock lock = new ReentrantLock();
    private final List<String> lines = new ArrayList<>();

    void add(String customer, long cents) {
        lock.lock();
        try {
            lines.add(customer + '\t' + cents);
        } finally {
            lock.unlock();
        }
    }

    int size() {
        lock.lock();
        try {
            return lines.size();
        } finally {
            lock.unlock();
        }
    }

    /** Sends all orders to the archive; returns how many. Slow. */
    int archive() {
        lock.lock();
        try {
            Remote.answer();
            int archived = lines.size();
            lines.clear();
            return archived;
        } finally {
            lock.unlock();
        }
    }
}
