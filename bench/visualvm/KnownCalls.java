import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.Locale;
import java.util.function.LongUnaryOperator;
import java.util.stream.IntStream;

/**
 * A program whose calls are known, to compare profilers that count and time calls.
 *
 * <p>{@code java KnownCalls steps ROUNDS} makes a thousand calls of {@link #step} below each {@link
 * #root}; a call takes as long as ROUNDS rounds of shifts. {@code java KnownCalls modern} makes a
 * hundred calls of each method of {@link Modern} below each {@link Modern#root}, in the ways that
 * class files have learnt since Java 5.
 *
 * <p>Each line that it reads is a number of seconds to work for. It works only then, so that a
 * profiler can be put in place while nothing is called, and the calls of that phase are all calls
 * that it can have seen. Every second it prints what a call took by its own clock, read around many
 * roots, and at the end of a phase how many calls there were. It ends with its input.
 */
public final class KnownCalls {
    static final int CALLS = 1000;

    private static final long SECOND = 1_000_000_000L;
    private static final long BETWEEN_LOOKS_AT_THE_CLOCK = SECOND / 100;

    private KnownCalls() {}

    public static void main(String[] args) throws IOException {
        boolean modern = args[0].equals("modern");
        int rounds = modern ? 0 : Integer.parseInt(args[1]);
        int callsPerRoot = modern ? Modern.CALLS : CALLS;
        LongUnaryOperator work = modern ? Modern::root : from -> root((int) from, rounds);
        BufferedReader phases = new BufferedReader(new InputStreamReader(System.in));
        long rootsAtOnce = 1;
        for (String line = phases.readLine(); line != null; line = phases.readLine()) {
            rootsAtOnce = phase(work, callsPerRoot, Integer.parseInt(line.strip()), rootsAtOnce);
        }
    }

    /**
     * @return how many roots take about as long as there should be between two looks at the clock
     */
    private static long phase(LongUnaryOperator work, int callsPerRoot, int seconds, long first) {
        long rootsAtOnce = first;
        long allRoots = 0;
        long number = 1;
        for (int second = 1; second <= seconds; second++) {
            long roots = 0;
            long nanos = 0;
            while (nanos < SECOND) {
                long begin = System.nanoTime();
                for (long i = 0; i < rootsAtOnce; i++) {
                    number = work.applyAsLong(number);
                }
                long took = System.nanoTime() - begin;
                nanos += took;
                roots += rootsAtOnce;
                rootsAtOnce = Math.max(1, rootsAtOnce * BETWEEN_LOOKS_AT_THE_CLOCK / took);
            }
            allRoots += roots;
            say("second %d: %.2f ns a call", second, (double) nanos / roots / callsPerRoot);
        }
        say("phase: %d roots, %d calls, result %d", allRoots, allRoots * callsPerRoot, number);
        return rootsAtOnce;
    }

    private static void say(String format, Object... values) {
        System.out.println(String.format(Locale.ROOT, format, values));
    }

    static int root(int from, int rounds) {
        int number = from | 1;
        for (int i = 0; i < CALLS; i++) {
            number += step(number, rounds);
        }
        return number;
    }

    static int step(int from, int rounds) {
        int number = from;
        for (int i = 0; i < rounds; i++) {
            number ^= number << 13;
            number ^= number >>> 17;
            number ^= number << 5;
        }
        return number;
    }

    /** A hundred calls of each method, unless a comment says how many. */
    static final class Modern {
        static final int CALLS = 100;

        private Modern() {}

        static long root(long from) {
            Tally tally = new Tally();
            for (int i = 0; i < CALLS; i++) {
                Shape shape = i % 2 == 0 ? new Circle(i) : new Square(i);
                tally.add(shape.twice() + area(shape) + label(shape).length());
            }
            tally.add(IntStream.range(0, CALLS).map(i -> 3 * i + 1).map(Modern::referred).sum());
            return from + tally.sum;
        }

        /** Switching by type: of what Java 17 has, patterns on a sealed type. */
        static int area(Shape shape) {
            if (shape instanceof Circle circle) {
                return 3 * circle.size() * circle.size();
            } else if (shape instanceof Square square) {
                return square.size() * square.size();
            }
            throw new AssertionError(shape);
        }

        /** Text that is put together by invokedynamic. */
        static String label(Shape shape) {
            return "a shape of " + shape.twice() + " halves";
        }

        static int referred(int number) {
            return number ^ number >>> 3;
        }

        sealed interface Shape permits Circle, Square {
            int size();

            /** A default method: two hundred calls, through the interface. */
            default int twice() {
                return 2 * size();
            }
        }

        /** A record: fifty of them, of which each is asked for its size four times. */
        record Circle(int size) implements Shape {}

        /** The same. */
        record Square(int size) implements Shape {}

        private static final class Tally {
            private long sum;

            /** Private, and called by another class of the nest: a hundred calls and one. */
            private void add(long number) {
                sum += number;
            }
        }
    }
}
