package dev.heatline.agent.locks;

import java.io.IOException;
import java.io.InputStream;

/** A class with everything in it that hooks are inserted into, to try it out on. */
final class Sample {
    private int count;

    private Sample() {}

    /** Does all that is done with a class, without a class that anybody uses. */
    static void change() throws IOException {
        String name = Sample.class.getName().replace('.', '/');
        Choice.includes(null, name);
        Choice.includes(ClassLoader.getSystemClassLoader(), name);
        try (InputStream in =
                Sample.class.getClassLoader().getResourceAsStream(name + ".classdata")) {
            if (in == null) {
                throw new IOException("the agent's jar is damaged: " + name + " is missing");
            }
            byte[] bytes = in.readAllBytes();
            MonitorHooks.insert(bytes, () -> {});
            ParkHooks.insert(bytes);
        }
    }

    /** Named as what threads are parked by. */
    static synchronized boolean park(Object lock) {
        return lock.equals(Sample.class);
    }

    /** Named as what signals threads that wait for a condition. */
    int doSignal(Sample first) {
        return first.enqueue(first);
    }

    private int enqueue(Sample node) {
        return node.count;
    }

    synchronized int next(Object other) throws InterruptedException {
        while (count == 0) {
            wait();
        }
        synchronized (other) {
            return count++;
        }
    }
}
