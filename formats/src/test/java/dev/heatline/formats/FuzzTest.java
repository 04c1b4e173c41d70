package dev.heatline.formats;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.heatline.model.ModelException;
import dev.heatline.model.Profile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Damaged files are read or refused, and nothing else: no other exception, no memory that the input
 * does not justify, no endless work. Failures name the seed that repeats them.
 */
class FuzzTest {
    private static final int MUTATIONS = 3_000;
    private static final long MAX_ALLOCATED = 64L << 20;
    private static final Duration MAX_TIME = Duration.ofSeconds(2);

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** A good file and what reads it. */
    static final class Target {
        private final String name;
        private final byte[] good;
        private final Consumer<byte[]> reader;

        Target(String name, byte[] good, Consumer<byte[]> reader) {
            this.name = name;
            this.good = good;
            this.reader = reader;
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Target> targets() {
        Stream<Target> files =
                Formats.all().stream()
                        .filter(Format::isWritable)
                        .map(
                                format ->
                                        new Target(
                                                format.name(),
                                                write(format),
                                                bytes -> read(format, bytes)));
        return Stream.concat(files, Stream.of(heatBody(), pprofBody(), anyFile()));
    }

    @ParameterizedTest
    @MethodSource("targets")
    void damagedFilesAreReadOrRefused(Target target) {
        for (int seed = 0; seed < MUTATIONS; seed++) {
            byte[] damaged = Mutation.of(target.good, new SplittableRandom(seed));
            long before = THREADS.getCurrentThreadAllocatedBytes();
            long start = System.nanoTime();
            try {
                target.reader.accept(damaged);
            } catch (FormatException | ModelException e) {
                assertThat(e.getMessage()).as("%s, seed %s", target, seed).isNotBlank();
            } catch (RuntimeException | Error e) {
                throw new AssertionError(target + ", seed " + seed, e);
            }
            long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
            assertThat(allocated).as("bytes, %s, seed %s", target, seed).isLessThan(MAX_ALLOCATED);
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .as("%s, seed %s", target, seed)
                    .isLessThan(MAX_TIME);
        }
    }

    /** Past the checksum, as a file that was made to do harm. */
    private static Target heatBody() {
        try {
            byte[] body = HeatWriter.write(example());
            return new Target(
                    "body of heat",
                    body,
                    bytes -> new HeatReader("test", bytes, MAX_ALLOCATED / 2).read());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static Target pprofBody() {
        PprofFormat format = new PprofFormat();
        Source packed = Source.of("test", write(format));
        byte[] body =
                Compression.unpacked(packed, ReadOptions.DEFAULT)
                        .bytes()
                        .toArray(ValueLayout.JAVA_BYTE);
        return new Target(
                "body of pprof",
                body,
                bytes -> format.read(Source.of("test", bytes), ReadOptions.DEFAULT));
    }

    /** Through the way in that everybody uses. */
    private static Target anyFile() {
        return new Target(
                "any file",
                write(new CollapsedFormat()),
                bytes -> Formats.read(Source.of("test", bytes), ReadOptions.DEFAULT));
    }

    private static void read(Format format, byte[] bytes) {
        Source source = Compression.unpacked(Source.of("test", bytes), ReadOptions.DEFAULT);
        format.read(source, ReadOptions.DEFAULT);
    }

    private static byte[] write(Format format) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            format.write(example(), out, WriteOptions.DEFAULT);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return out.toByteArray();
    }

    /** Small, so that most mutations hit something; written by every format, traces included. */
    private static Profile example() {
        String trace =
                """
                0 @ main
                0 > a.B.c(I)V
                1 > java.lang.String.indexOf(Ljava/lang/String;I)I
                2 < java.lang.String.indexOf(Ljava/lang/String;I)I
                3 < a.B.c(I)V
                3 @ worker
                4 > d.E.f
                5.5 < d.E.f
                """;
        byte[] content = trace.getBytes(StandardCharsets.UTF_8);
        return new TraceFormat().read(Source.of("example", content), ReadOptions.DEFAULT);
    }

    /** Ways to damage a file. */
    private enum Mutation {
        FLIP {
            @Override
            byte[] apply(byte[] good, int at, SplittableRandom random) {
                byte[] bad = good.clone();
                bad[at] ^= (byte) (1 << random.nextInt(8));
                return bad;
            }
        },
        REPLACE {
            @Override
            byte[] apply(byte[] good, int at, SplittableRandom random) {
                byte[] bad = good.clone();
                bad[at] = (byte) random.nextInt(256);
                return bad;
            }
        },
        CUT {
            @Override
            byte[] apply(byte[] good, int at, SplittableRandom random) {
                return Arrays.copyOf(good, at);
            }
        },
        REMOVE {
            @Override
            byte[] apply(byte[] good, int at, SplittableRandom random) {
                int end = Math.min(good.length, at + 1 + random.nextInt(16));
                return joined(Arrays.copyOf(good, at), tail(good, end));
            }
        },
        INSERT {
            @Override
            byte[] apply(byte[] good, int at, SplittableRandom random) {
                byte[] noise = new byte[1 + random.nextInt(16)];
                random.nextBytes(noise);
                return joined(Arrays.copyOf(good, at), noise, tail(good, at));
            }
        },
        DUPLICATE {
            @Override
            byte[] apply(byte[] good, int at, SplittableRandom random) {
                int end = Math.min(good.length, at + 1 + random.nextInt(64));
                return joined(Arrays.copyOf(good, end), tail(good, at));
            }
        },
        /** A length or count of 4 GB, or the largest number there is. */
        HUGE_NUMBER {
            @Override
            byte[] apply(byte[] good, int at, SplittableRandom random) {
                byte[] number = new byte[random.nextInt(2) == 0 ? 5 : 10];
                Arrays.fill(number, (byte) 0xFF);
                number[number.length - 1] = (byte) (number.length == 5 ? 0x0F : 0x01);
                return joined(Arrays.copyOf(good, at), number, tail(good, at + 1));
            }
        };

        abstract byte[] apply(byte[] good, int at, SplittableRandom random);

        static byte[] of(byte[] good, SplittableRandom random) {
            byte[] bad = good;
            int times = 1 + random.nextInt(3);
            for (int i = 0; i < times && bad.length > 0; i++) {
                Mutation mutation = values()[random.nextInt(values().length)];
                bad = mutation.apply(bad, random.nextInt(bad.length), random);
            }
            return bad;
        }

        private static byte[] tail(byte[] bytes, int from) {
            return Arrays.copyOfRange(bytes, Math.min(from, bytes.length), bytes.length);
        }

        private static byte[] joined(byte[]... parts) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            for (byte[] part : parts) {
                out.writeBytes(part);
            }
            return out.toByteArray();
        }
    }
}
