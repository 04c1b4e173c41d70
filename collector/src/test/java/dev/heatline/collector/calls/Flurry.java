package dev.heatline.collector.calls;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Locale;

/**
 * Many short calls that a compiler makes one of as long as nobody watches. Says all the time what
 * CPU time a call of the root took lately, until its input ends.
 */
final class Flurry {
    private static final int DEPTH = 14;
    private static final int SHAPES = 1_000;
    private static final long WINDOW_NANOS = 200_000_000;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    static double sink;

    private Flurry() {}

    public static void main(String[] args) throws Exception {
        Shape[] shapes = new Shape[SHAPES];
        for (int i = 0; i < SHAPES; i++) {
            shapes[i] = i * 7 % 3 == 0 ? new Square(i) : new Circle(i);
        }
        while (System.in.available() == 0) {
            long start = System.nanoTime();
            long cpu = THREADS.getCurrentThreadCpuTime();
            long calls = 0;
            while (System.nanoTime() - start < WINDOW_NANOS) {
                sink += root(shapes);
                calls++;
            }
            double mean = (double) (THREADS.getCurrentThreadCpuTime() - cpu) / calls;
            System.out.printf(Locale.ROOT, "took %.1f%n", mean);
        }
    }

    static double root(Shape[] shapes) {
        double sum = fibonacci(DEPTH);
        for (Shape each : shapes) {
            sum += each.area();
        }
        return sum;
    }

    static int fibonacci(int n) {
        return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
    }

    interface Shape {
        double area();
    }

    record Square(double side) implements Shape {
        @Override
        public double area() {
            return side * side;
        }
    }

    record Circle(double radius) implements Shape {
        @Override
        public double area() {
            return Math.PI * radius * radius;
        }
    }
}
