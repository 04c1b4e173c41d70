package dev.heatline.agent.locks;

import java.io.ByteArrayOutputStream;

/** Inherits monitors of the JDK, and owns others, too. */
final class Heir extends ByteArrayOutputStream {
    static void hold(Object lock, Runnable inside) {
        synchronized (lock) {
            inside.run();
        }
    }

    synchronized void renew() {
        reset();
    }
}
