package dev.heatline.bench.workload;

import java.util.Random;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** What programs do that consist of small methods; each is a root of its own. */
final class SmallCalls implements Unit {
    private static final int KEYS = 4_000;
    private static final int LOOKUPS = 100;
    private static final int SHAPES = 1_000;
    private static final int DEPTH = 15;

    private int sum;

    private final ToIntFunction<Random> root;

    private SmallCalls(ToIntFunction<Random> root) {
        this.root = root;
    }

    @Override
    public void run(Random random) {
        sum = root.applyAsInt(random) - sum;
    }

    /** A method that calls itself twice. */
    static SmallCalls ofRecursion() {
        return new SmallCalls(random -> recursion(DEPTH));
    }

    static int recursion(int depth) {
        return fibonacci(depth);
    }

    static int fibonacci(int n) {
        return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
    }

    /** Names are looked up in a tree, where each is compared with a dozen others. */
    static SmallCalls ofLookups() {
        Random random = new Random(1);
        Entry top = new Entry(name(random));
        for (int i = 1; i < KEYS; i++) {
            top.add(name(random));
        }
        return new SmallCalls(each -> lookups(top, each));
    }

    static int lookups(Entry top, Random random) {
        int found = 0;
        for (int i = 0; i < LOOKUPS; i++) {
            found += top.find(name(random)) ? 1 : 0;
        }
        return found;
    }

    static String name(Random random) {
        return "customer-" + random.nextInt(KEYS);
    }

    /** A place in a binary tree that nobody balances. */
    static final class Entry {
        private final String name;
        private @Nullable Entry before;
        private @Nullable Entry behind;

        Entry(String name) {
            this.name = name;
        }

        void add(String other) {
            Entry at = this;
            while (true) {
                boolean isBefore = at.compare(other) < 0;
                Entry next = isBefore ? at.before : at.behind;
                if (next == null) {
                    if (isBefore) {
                        at.before = new Entry(other);
                    } else {
                        at.behind = new Entry(other);
                    }
                    return;
                }
                at = next;
            }
        }

        boolean find(String wanted) {
            @Nullable Entry at = this;
            while (at != null) {
                int order = at.compare(wanted);
                if (order == 0) {
                    return true;
                }
                at = order < 0 ? at.before : at.behind;
            }
            return false;
        }

        int compare(String other) {
            return other.compareTo(name);
        }
    }

    /** One method of an interface, which four classes have. */
    static SmallCalls ofShapes() {
        Random random = new Random(1);
        Shape[] all = new Shape[SHAPES];
        for (int i = 0; i < SHAPES; i++) {
            double size = random.nextDouble();
            all[i] =
                    switch (random.nextInt(4)) {
                        case 0 -> new Square(size);
                        case 1 -> new Circle(size);
                        case 2 -> new Ring(size, size / 2);
                        default -> new Triangle(size, size, size);
                    };
        }
        return new SmallCalls(unused -> shapes(all));
    }

    static int shapes(Shape[] all) {
        double sum = 0;
        for (Shape each : all) {
            sum += each.area();
        }
        return (int) sum;
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

    record Ring(double outer, double inner) implements Shape {
        @Override
        public double area() {
            return Math.PI * (outer * outer - inner * inner);
        }
    }

    record Triangle(double a, double b, double c) implements Shape {
        @Override
        public double area() {
            double half = (a + b + c) / 2;
            return Math.sqrt(half * (half - a) * (half - b) * (half - c));
        }
    }
}
