package dev.heatline.agent.calls;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Scanner;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.management.JMException;
import javax.management.ObjectName;

/** Calls whose number is known. Plays the scenes it is told to, until nothing more comes. */
final class CallScenes {
    private static int sink;

    private CallScenes() {}

    public static void main(String[] args) throws Throwable {
        System.out.println("ready");
        Scanner lines = new Scanner(System.in, StandardCharsets.UTF_8);
        while (lines.hasNextLine()) {
            String scene = lines.nextLine();
            play(scene);
            System.out.println("played " + scene);
        }
    }

    private static void play(String scene) throws Throwable {
        switch (scene) {
            case "plain" -> plain(100);
            case "outside" -> Plain.b();
            case "exceptions" -> exceptions();
            case "constructors" -> constructors();
            case "recursion" -> recursion();
            case "overflow" -> overflow();
            case "dispatch" -> dispatch();
            case "lambdas" -> lambdas();
            case "late" -> late();
            case "reflection" -> reflection();
            case "callbacks" -> callbacks();
            case "threads" -> threads();
            case "busy" -> busy(2);
            case "busy alone" -> busy(1);
            case "virtual" -> virtual();
            case "region" -> region();
            case "making" -> making();
            case "keeping" -> Keeping.root(1000, 100_000);
            case "keeping some" -> Keeping.some(100_000);
            case "keeping in threads" -> keepingInThreads();
            case "keeping millions" -> Keeping.millions(5_000_000);
            case "forgetting" -> Keeping.KEPT.clear();
            case "collection" -> System.gc();
            case "instances" -> instances();
            case "native" -> nativeCalls();
            case "rounded" -> Rounded.root();
            case "idle" -> idle();
            case "handles" -> handles();
            case "blocking" -> blocking();
            case "dying" -> dying();
            case "unlinked" -> Unlinked.root(new Unlinked());
            case "linked" -> Linked.play();
            case "types" -> Types.root();
            case "everything at once" -> everythingAtOnce();
            case "streams" -> Streams.root();
            case "foreign" -> Foreign.root();
            case "hide" -> Foreign.hide();
            default -> load(scene);
        }
    }

    private static void load(String scene) throws Exception {
        String name = scene.substring(scene.indexOf(' ') + 1);
        if (scene.startsWith("load ")) {
            Foreign.load(name);
        } else if (scene.startsWith("hiding ")) {
            Foreign.loadHiding(name);
        } else {
            throw new IllegalArgumentException(scene);
        }
    }

    /** Leaves a thread behind that waits for ever. */
    private static void blocking() {
        Thread thread = new Thread(Blocked::root, "blocked");
        thread.setDaemon(true);
        thread.start();
        while (thread.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
    }

    static final class Blocked {
        private Blocked() {}

        static void root() {
            Plain.leaf();
            rest();
        }

        static void rest() {
            LockSupport.park();
        }
    }

    private static void dying() throws InterruptedException {
        Thread thread = new Thread(Dying::root, "dying");
        thread.setUncaughtExceptionHandler((who, why) -> sink++);
        thread.start();
        thread.join();
    }

    /** The third call of what takes 20 ms ends the thread. */
    static final class Dying {
        private Dying() {}

        static void root() {
            for (int i = 0; i < 10; i++) {
                last(i);
            }
        }

        static void last(int i) {
            LockSupport.parkNanos(20_000_000);
            if (i == 2) {
                throw new IllegalStateException();
            }
        }
    }

    /** Has a native method that there is not. */
    static class Unlinked {
        native int work();

        static void root(Unlinked some) {
            for (int i = 0; i < 10; i++) {
                try {
                    sink += some.work();
                } catch (UnsatisfiedLinkError e) {
                    sink++;
                }
            }
        }
    }

    static final class Linked extends Unlinked {
        static void play() {
            root(new Linked());
        }

        @Override
        int work() {
            return 1;
        }
    }

    /** Asks a class of the JDK that nothing extends, by a native method. */
    static final class Types {
        private Types() {}

        static void root() {
            for (int i = 0; i < 10; i++) {
                sink += Integer.class.isInstance(i) ? 1 : 0;
            }
        }
    }

    /** In four threads, a hundred times each. */
    private static void everythingAtOnce() throws InterruptedException {
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            all.add(
                    new Thread(
                            () -> {
                                for (int times = 0; times < 100; times++) {
                                    exceptions();
                                    recursion();
                                    Down.root(500);
                                }
                            }));
        }
        for (Thread each : all) {
            each.start();
        }
        for (Thread each : all) {
            each.join();
        }
    }

    /** Recursion that an exception leaves. */
    static final class Down {
        private Down() {}

        static void root(int depth) {
            try {
                down(depth);
            } catch (IllegalStateException e) {
                Thrower.caught();
            }
        }

        static void down(int left) {
            if (left > 0) {
                down(left - 1);
            }
            throw new IllegalStateException();
        }
    }

    /** Of a hundred numbers, those that are even. */
    static final class Streams {
        private Streams() {}

        static void root() {
            sink +=
                    IntStream.range(0, 100)
                            .boxed()
                            .filter(Streams::isEven)
                            .map(n -> squared(n))
                            .sorted(Comparator.reverseOrder())
                            .collect(Collectors.toList())
                            .size();
            sink += IntStream.range(0, 100).parallel().map(n -> squared(n)).sum();
        }

        static boolean isEven(int n) {
            return n % 2 == 0;
        }

        static int squared(int n) {
            return n * n;
        }
    }

    private static void plain(int times) {
        for (int i = 0; i < times; i++) {
            Plain.root();
        }
    }

    /** Per call: 3 of a, 2 of b, 2 * 5 + 3 of leaf. */
    static final class Plain {
        private Plain() {}

        static int root() {
            return a() + a() + a() + b() + b();
        }

        static int a() {
            return leaf();
        }

        static int b() {
            int sum = 0;
            for (int i = 0; i < 5; i++) {
                sum += leaf();
            }
            return sum;
        }

        static synchronized int leaf() {
            return ++sink;
        }
    }

    private static void handles() throws Throwable {
        for (int i = 0; i < 10; i++) {
            Handled.root();
        }
    }

    /** Per call: each of them once, two of them adapted. */
    static final class Handled {
        private static final MethodHandle PLAIN = find("plain", MethodType.methodType(int.class));
        private static final MethodHandle BOUND =
                MethodHandles.insertArguments(
                        find("bound", MethodType.methodType(int.class, int.class)), 0, 7);
        private static final MethodHandle MAKER;

        static {
            try {
                MAKER =
                        MethodHandles.lookup()
                                .findConstructor(Handled.class, MethodType.methodType(void.class));
            } catch (ReflectiveOperationException e) {
                throw new LinkageError("no constructor", e);
            }
        }

        private Handled() {}

        private static MethodHandle find(String name, MethodType type) {
            try {
                return MethodHandles.lookup().findStatic(Handled.class, name, type);
            } catch (ReflectiveOperationException e) {
                throw new LinkageError(name, e);
            }
        }

        static void root() throws Throwable {
            sink += (int) PLAIN.invokeExact();
            sink += (int) BOUND.invokeExact();
            // Not as exactly.
            sink += ((Integer) PLAIN.invoke()).hashCode();
            sink += MAKER.invoke().hashCode() & 1;
        }

        static int plain() {
            return Plain.leaf();
        }

        static int bound(int number) {
            return number;
        }
    }

    private static void idle() throws InterruptedException {
        for (int i = 0; i < 20; i++) {
            Idle.root();
        }
    }

    /** Per call: 5 ms of sleep, 5 ms of work by the CPU's clock. */
    static final class Idle {
        private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

        private Idle() {}

        static void root() throws InterruptedException {
            sleep();
            work();
        }

        static void sleep() throws InterruptedException {
            Thread.sleep(5);
        }

        static void work() {
            long until = THREADS.getCurrentThreadCpuTime() + 5_000_000;
            while (THREADS.getCurrentThreadCpuTime() < until) {
                Plain.leaf();
            }
        }
    }

    private static void exceptions() {
        for (int i = 0; i < 10; i++) {
            Thrower.root();
        }
    }

    /** Per call: 4 of thrower, of which 2 throw through middle; 1 of after. */
    static final class Thrower {
        private Thrower() {}

        static void root() {
            for (int i = 0; i < 4; i++) {
                try {
                    middle(i);
                } catch (IllegalStateException e) {
                    caught();
                } finally {
                    last();
                }
            }
        }

        static void middle(int i) {
            thrower(i);
            after();
        }

        static void thrower(int i) {
            if (i % 2 == 0) {
                throw new IllegalStateException();
            }
        }

        static void after() {
            sink++;
        }

        static void caught() {
            sink++;
        }

        static void last() {
            sink++;
        }
    }

    private static void constructors() {
        for (int i = 0; i < 10; i++) {
            Child.root(i);
        }
    }

    /** Has a constructor that throws every second time. */
    static class Parent {
        private final long made;

        Parent(int i) {
            made = check(i);
        }

        static long check(int i) {
            if (i % 2 == 1) {
                throw new IllegalArgumentException();
            }
            return i;
        }

        long made() {
            return made;
        }
    }

    /** Has it thrown before its own constructor can notice. */
    static final class Child extends Parent {
        private double twice;

        Child(int i, boolean other) {
            super(other ? new Parent(0).made() == 0 ? i : i + 1 : i);
            twice = 2.0 * made();
        }

        static void root(int i) {
            try {
                sink += (int) new Child(i, i > 4).twice;
            } catch (IllegalArgumentException e) {
                failed();
            }
            done();
        }

        static void failed() {
            sink++;
        }

        static void done() {
            sink++;
        }
    }

    private static void recursion() {
        Recursive.root(10);
    }

    /** Fibonacci of 10: 177 calls of fib. */
    static final class Recursive {
        private Recursive() {}

        static int root(int n) {
            return fib(n);
        }

        static int fib(int n) {
            return n < 2 ? n : fib(n - 1) + fib(n - 2);
        }
    }

    private static void overflow() {
        for (int i = 0; i < 3; i++) {
            Endless.root();
        }
    }

    /** Runs out of stack, and goes on. */
    static final class Endless {
        private Endless() {}

        static void root() {
            try {
                down(0);
            } catch (StackOverflowError e) {
                survived();
            }
            survived();
        }

        static int down(int n) {
            return n < 0 ? n : down(n + 1) + 1;
        }

        static void survived() {
            sink++;
        }
    }

    private static void dispatch() {
        List<Shape> shapes = List.of(new Square(), new Circle(), new Circle(), new Fallback());
        for (int i = 0; i < 10; i++) {
            Shape.root(shapes);
        }
    }

    interface Shape {
        static void root(List<Shape> shapes) {
            for (int i = 0; i < shapes.size(); i++) {
                sink += shapes.get(i).area();
            }
        }

        default int area() {
            return 7;
        }
    }

    static final class Square implements Shape {
        @Override
        public int area() {
            return 4;
        }
    }

    /** Inherits what its interface asks for from a class that does not know it. */
    static class Round {
        public int area() {
            return 3;
        }
    }

    static final class Circle extends Round implements Shape {}

    static final class Fallback implements Shape {}

    private static void lambdas() {
        for (int i = 0; i < 10; i++) {
            Lambda.root(i);
        }
    }

    static final class Lambda {
        /** Made where nobody measures. */
        private static final List<IntUnaryOperator> EARLIER = List.of(n -> squared(n));

        private Lambda() {}

        private static int squared(int n) {
            return n * n;
        }

        static void root(int i) {
            IntUnaryOperator twice = n -> doubled(n);
            IntUnaryOperator reference = Lambda::tripled;
            sink += twice.andThen(reference).applyAsInt(i) + EARLIER.get(0).applyAsInt(i);
        }

        static int doubled(int n) {
            return 2 * n;
        }

        static int tripled(int n) {
            return 3 * n;
        }
    }

    private static void late() throws Exception {
        for (int i = 0; i < 10; i++) {
            Late.root("dev.heatline.agent.calls.CallScenes$Loaded" + (i < 5 ? "First" : "Second"));
        }
    }

    static final class Late {
        private Late() {}

        static void root(String name) throws Exception {
            Class<? extends Runnable> type = Class.forName(name).asSubclass(Runnable.class);
            Runnable made = type.getDeclaredConstructor().newInstance();
            made.run();
        }
    }

    static final class LoadedFirst implements Runnable {
        static final int START = start();

        private static int start() {
            return sink;
        }

        @Override
        public void run() {
            sink = START + 1;
        }
    }

    static final class LoadedSecond implements Runnable {
        @Override
        public void run() {
            sink += helped();
        }

        private static int helped() {
            return 1;
        }
    }

    private static void reflection() throws ReflectiveOperationException {
        Greeter named = new Named();
        for (int i = 0; i < 10; i++) {
            Reflective.root(named, "greet");
        }
    }

    static final class Reflective {
        private Reflective() {}

        static void root(Greeter greeter, String method) throws ReflectiveOperationException {
            Greeter.class.getDeclaredMethod(method).invoke(greeter);
        }
    }

    abstract static class Greeter {
        abstract String greet();
    }

    static final class Named extends Greeter {
        @Override
        String greet() {
            return "hello " + name();
        }

        private static String name() {
            return "you";
        }
    }

    private static void callbacks() {
        Sorted.root();
    }

    /** Sorts what is in order: five comparisons of six. */
    static final class Sorted {
        private Sorted() {}

        static void root() {
            List<Integer> numbers = new ArrayList<>(List.of(1, 2, 3, 4, 5, 6));
            numbers.sort(new ByValue());
            sink += numbers.get(0);
        }
    }

    static final class ByValue implements Comparator<Integer> {
        @Override
        public int compare(Integer one, Integer other) {
            return Integer.compare(one, other);
        }
    }

    private static void nativeCalls() {
        for (int i = 0; i < 10; i++) {
            Native.root(new int[i]);
        }
    }

    /** Calls what code that measures may need itself. */
    static final class Rounded {
        private static final int TIMES = 100_000;

        private Rounded() {}

        static void root() {
            for (int i = 0; i < TIMES; i++) {
                // Compilers know what the first does and may leave the call out.
                sink += (int) Math.max(sink, (long) i);
                sink += Math.floorMod(i, 3);
                sink += new int[i % 5].length;
            }
        }
    }

    /** Calls two native methods, of which one throws half of the time. */
    static final class Native {
        private Native() {}

        static void root(int[] numbers) {
            sink += System.identityHashCode(numbers);
            try {
                System.arraycopy(new int[5], 0, numbers, 0, 5);
                done();
            } catch (IndexOutOfBoundsException e) {
                done();
            }
        }

        static void done() {
            sink++;
        }
    }

    private static void making() {
        for (int i = 0; i < 10; i++) {
            Making.root(i);
        }
    }

    static final class Making {
        private Making() {}

        static void root(int i) {
            Object[] made = {new Point(i, i), new byte[1000], new int[3][4], new String[2][]};
            sink += made.length + point(i).x;
        }

        static Point point(int i) {
            return new Point(i, i < 0 ? new Point(i, i).y : i);
        }
    }

    /** 12 bytes of header, 8 of its own, and what is needed for a multiple of 8. */
    static final class Point {
        private final int x;
        private final int y;

        Point(int x, int y) {
            this.x = x;
            this.y = y;
        }
    }

    private static void keepingInThreads() throws InterruptedException {
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            all.add(new Thread(() -> Keeping.root(1000, 10_000), "keeper " + i));
        }
        for (Thread each : all) {
            each.start();
        }
        for (Thread each : all) {
            each.join();
        }
    }

    /** How many objects there are of the classes that matter. */
    private static void instances() throws JMException {
        Object[] arguments = {new String[0]};
        Object all =
                ManagementFactory.getPlatformMBeanServer()
                        .invoke(
                                new ObjectName("com.sun.management:type=DiagnosticCommand"),
                                "gcClassHistogram",
                                arguments,
                                new String[] {String[].class.getName()});
        for (String line : String.valueOf(all).lines().toList()) {
            if (line.contains("TrackedObjects") || line.contains("java.lang.ref.WeakReference ")) {
                System.out.println(line);
            }
        }
    }

    /** Objects of which is known whether they are kept. */
    static final class Keeping {
        static final List<Object> KEPT = Collections.synchronizedList(new ArrayList<>());

        private Keeping() {}

        /** As many of each class. Of those that are fragile, half become whole. */
        static void root(int kept, int dropped) {
            for (int i = 0; i < kept; i++) {
                KEPT.add(new Kept(i > 3 ? i : KEPT.size()));
                KEPT.add(new byte[100]);
                KEPT.add(new char[2][3]);
            }
            for (int i = 0; i < dropped; i++) {
                sink += new Dropped(i).number + new int[i % 7].length;
            }
            for (int i = 0; i < 2 * kept; i++) {
                try {
                    KEPT.add(new Fragile(i));
                } catch (IllegalStateException e) {
                    sink++;
                }
            }
        }

        /** One of ten. */
        static void some(int all) {
            for (int i = 0; i < all; i++) {
                Dropped made = new Dropped(i);
                if (i % 10 == 0) {
                    KEPT.add(made);
                }
            }
        }

        static void millions(int all) {
            Object[] last = new Object[500_000];
            for (int i = 0; i < all; i++) {
                last[i % last.length] = new Dropped(i);
            }
            KEPT.add(last);
        }
    }

    static final class Kept {
        final int number;

        Kept(int number) {
            this.number = number;
        }
    }

    static final class Dropped {
        final int number;

        Dropped(int number) {
            this.number = number;
        }
    }

    static final class Fragile {
        final int number;

        Fragile(int number) {
            this.number = number;
            if (number % 2 == 1) {
                throw new IllegalStateException("odd");
            }
        }
    }

    /** Forty short calls, one of which throws, and a long one. */
    private static void region() throws InterruptedException {
        for (int i = 0; i < 40; i++) {
            try {
                Region.elapse(i, List.of(), "short", 1L);
            } catch (IllegalStateException e) {
                sink++;
            }
        }
        Region.slow();
    }

    static final class Region {
        private Region() {}

        static void slow() throws InterruptedException {
            elapse(-50, new ArrayList<>(), new Point(1, 2), 50L);
        }

        /** Writes to its parameters. */
        static int elapse(int number, List<String> list, Object thing, long millis)
                throws InterruptedException {
            int length = thing.toString().length();
            list = List.of("another");
            thing = "another";
            if (number < 0) {
                Thread.sleep(millis);
            } else if (number == 20) {
                throw new IllegalStateException(thing.toString());
            }
            return length + list.size();
        }
    }

    private static void threads() throws InterruptedException {
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            all.add(new Thread(() -> plain(1000), "worker " + i));
        }
        for (Thread each : all) {
            each.start();
        }
        for (Thread each : all) {
            each.join();
        }
    }

    /** Without an end. Several wait for each other, so what a call takes is known of one only. */
    private static void busy(int threads) {
        for (int i = 0; i < threads; i++) {
            Thread thread =
                    new Thread(
                            () -> {
                                while (true) {
                                    plain(10);
                                }
                            });
            thread.setDaemon(true);
            thread.start();
        }
    }

    /** By reflection: compiled for JVMs that have none. */
    private static void virtual() throws ReflectiveOperationException, InterruptedException {
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            Runnable work = () -> plain(10);
            all.add(
                    (Thread)
                            Thread.class
                                    .getMethod("startVirtualThread", Runnable.class)
                                    .invoke(null, work));
        }
        for (Thread each : all) {
            each.join();
        }
    }
}
