package dev.heatline.formats.jfr;

import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/**
 * A program that does known things in threads with known names, to be recorded. Compiled for Java
 * 17 by the tests, so that every supported JVM can run it.
 */
final class Workload {
    static final int SLEEPS = 4;
    static final int PARKS = 5;
    static final int EXCEPTIONS = 50;
    static final int ALLOCATIONS = 400;
    static final int ALLOCATED_BYTES = 1 << 20;
    static final int WRITES = 7;
    static final int BYTES_PER_WRITE = 1000;
    static final int MESSAGES = 6;
    static final int BYTES_PER_MESSAGE = 300;
    static final int RECURSION = 300;

    static volatile double sink;
    static volatile long seed = 42;
    static volatile Object kept = "";

    private static final Object LOCK = new Object();

    private Workload() {}

    public static void main(String[] args) throws Exception {
        Path scratch = Path.of(args[0]);
        long burnNanos = Long.parseLong(args[1]) * 1_000_000;
        run("burner", () -> burn(burnNanos));
        run("recursive", () -> recurse(RECURSION, burnNanos / 4));
        run("allocator", Workload::allocate);
        contend();
        run("sleeper", Workload::sleepOften);
        run("parker", Workload::parkOften);
        run("waiter", Workload::waitOnce);
        run("file writer", () -> writeAndRead(scratch));
        sockets();
        run("thrower", Workload::throwOften);
        if (args.length > 2) {
            System.out.println("done");
            run("lingerer", () -> burn(Long.MAX_VALUE));
        }
    }

    interface Work {
        void run() throws Exception;
    }

    static Thread start(String name, Work work) {
        Thread thread =
                new Thread(
                        () -> {
                            try {
                                work.run();
                            } catch (Exception e) {
                                throw new IllegalStateException(e);
                            }
                        },
                        name);
        thread.start();
        return thread;
    }

    static void run(String name, Work work) throws InterruptedException {
        start(name, work).join();
    }

    static void burn(long nanos) {
        long start = System.nanoTime();
        while (System.nanoTime() - start < nanos) {
            burnThreeQuarters();
            burnOneQuarter();
        }
    }

    /** Plain arithmetic: the sampler of JDK 17 cannot walk out of the stubs of Math functions. */
    static void burnThreeQuarters() {
        long x = seed;
        for (int i = 0; i < 300_000; i++) {
            x ^= x << 13;
            x ^= x >>> 7;
            x ^= x << 17;
        }
        seed = x;
    }

    static void burnOneQuarter() {
        long x = seed;
        for (int i = 0; i < 100_000; i++) {
            x ^= x << 13;
            x ^= x >>> 7;
            x ^= x << 17;
        }
        seed = x;
    }

    static int recurse(int depth, long nanos) {
        if (depth == 0) {
            burn(nanos);
            return 0;
        }
        return recurse(depth - 1, nanos) + 1;
    }

    static void allocate() {
        for (int i = 0; i < ALLOCATIONS; i++) {
            kept = new byte[ALLOCATED_BYTES];
        }
    }

    /** The thread "blocked" waits for a monitor until it has been seen to wait. */
    static void contend() throws InterruptedException {
        Thread blocked;
        synchronized (LOCK) {
            blocked = start("blocked", Workload::enter);
            while (!isBlockedInEnter(blocked)) {
                Thread.onSpinWait();
            }
            LockSupport.parkNanos(20_000_000);
        }
        blocked.join();
    }

    /** Starting threads block elsewhere too, such as in class loading. */
    static boolean isBlockedInEnter(Thread thread) {
        StackTraceElement[] stack = thread.getStackTrace();
        return thread.getState() == Thread.State.BLOCKED
                && stack.length > 0
                && stack[0].getMethodName().equals("enter");
    }

    static void enter() {
        synchronized (LOCK) {
            sink = 1;
        }
    }

    static void sleepOften() throws InterruptedException {
        for (int i = 0; i < SLEEPS; i++) {
            Thread.sleep(15);
        }
    }

    static void parkOften() {
        for (int i = 0; i < PARKS; i++) {
            LockSupport.parkNanos(15_000_000);
        }
    }

    /** Exactly one wait is what the tests expect to see, whatever ends it. */
    @SuppressWarnings("WaitNotInLoop")
    static void waitOnce() throws InterruptedException {
        synchronized (LOCK) {
            LOCK.wait(15);
        }
    }

    static void writeAndRead(Path file) throws Exception {
        try (OutputStream out = new FileOutputStream(file.toFile())) {
            for (int i = 0; i < WRITES; i++) {
                out.write(new byte[BYTES_PER_WRITE]);
            }
        }
        try (InputStream in = new FileInputStream(file.toFile())) {
            byte[] buffer = new byte[BYTES_PER_WRITE];
            while (in.read(buffer) > 0) {
                sink = 1;
            }
        }
        Files.delete(file);
    }

    static void sockets() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread receiver = start("receiver", () -> receive(server));
            run("sender", () -> send(server));
            receiver.join();
        }
    }

    static void send(ServerSocket server) throws Exception {
        try (Socket socket = new Socket(server.getInetAddress(), server.getLocalPort())) {
            for (int i = 0; i < MESSAGES; i++) {
                socket.getOutputStream().write(new byte[BYTES_PER_MESSAGE]);
            }
        }
    }

    static void receive(ServerSocket server) throws Exception {
        try (Socket socket = server.accept()) {
            byte[] buffer = new byte[64];
            while (socket.getInputStream().read(buffer) > 0) {
                sink = 1;
            }
        }
    }

    static void throwOften() {
        for (int i = 0; i < EXCEPTIONS; i++) {
            try {
                throwOne();
            } catch (IllegalArgumentException e) {
                sink = 1;
            }
        }
    }

    static void throwOne() {
        throw new IllegalArgumentException("known");
    }
}
