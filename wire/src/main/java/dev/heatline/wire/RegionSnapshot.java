package dev.heatline.wire;

import dev.heatline.wire.CallSnapshot.Method;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/**
 * How long single methods took up to a moment: written by the agent again and again, each time as a
 * whole, and read by the tool.
 *
 * @param elapsedNanos since measuring began
 */
public record RegionSnapshot(long elapsedNanos, List<Region> regions) {
    /** In the folder that both sides share. */
    public static final String FILE = "regions";

    private static final int MAGIC = 0x48454152;

    /**
     * One method.
     *
     * @param totalNanos of all calls
     * @param buckets how many calls took how long, the shortest first, those without calls left out
     * @param last calls, the earliest first
     * @param slowest calls, the slowest first
     */
    public record Region(
            Method method,
            long calls,
            long totalNanos,
            List<Bucket> buckets,
            List<Call> last,
            List<SlowCall> slowest) {

        /** The time that so many percent of the calls stayed below, as exact as the buckets are. */
        public double percentileNanos(double percent) {
            double wanted = calls * percent / 100;
            double passed = 0;
            for (Bucket bucket : buckets) {
                if (bucket.calls() > 0 && passed + bucket.calls() >= wanted) {
                    double part = (wanted - passed) / bucket.calls();
                    double nanos = part * (bucket.toNanos() - bucket.fromNanos());
                    return Math.min(bucket.fromNanos() + nanos, (double) slowestNanos());
                }
                passed += bucket.calls();
            }
            return slowestNanos();
        }

        /** 0 if there was no call. */
        public long slowestNanos() {
            return slowest.stream().mapToLong(SlowCall::tookNanos).max().orElse(0);
        }
    }

    /** Calls that took at least the one and less than the other. */
    public record Bucket(long fromNanos, long toNanos, long calls) {}

    /**
     * A call.
     *
     * @param startNanos since measuring began
     */
    public record Call(long startNanos, long tookNanos) {}

    /**
     * A call of which more is known.
     *
     * @param endMillis since 1970
     * @param argumentTypes the classes of the first objects that it was given
     * @param stack from the method itself outwards
     */
    public record SlowCall(
            long tookNanos,
            long endMillis,
            String thread,
            List<String> argumentTypes,
            List<String> stack) {}

    /** Writes it so that who reads sees all of it or the one before. */
    public void write(Path folder) throws IOException {
        Path draft = folder.resolve(FILE + ".new");
        Files.write(draft, written());
        Files.move(draft, folder.resolve(FILE), StandardCopyOption.ATOMIC_MOVE);
    }

    /** As bytes. */
    public byte[] written() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(MAGIC);
            out.writeLong(elapsedNanos);
            out.writeInt(regions.size());
            for (Region region : regions) {
                write(out, region);
            }
        }
        return bytes.toByteArray();
    }

    private static void write(DataOutputStream out, Region region) throws IOException {
        out.writeUTF(region.method().className());
        out.writeUTF(region.method().name());
        out.writeUTF(region.method().descriptor());
        out.writeLong(region.calls());
        out.writeLong(region.totalNanos());
        out.writeInt(region.buckets().size());
        for (Bucket bucket : region.buckets()) {
            out.writeLong(bucket.fromNanos());
            out.writeLong(bucket.toNanos());
            out.writeLong(bucket.calls());
        }
        out.writeInt(region.last().size());
        for (Call call : region.last()) {
            out.writeLong(call.startNanos());
            out.writeLong(call.tookNanos());
        }
        out.writeInt(region.slowest().size());
        for (SlowCall call : region.slowest()) {
            out.writeLong(call.tookNanos());
            out.writeLong(call.endMillis());
            out.writeUTF(call.thread());
            write(out, call.argumentTypes());
            write(out, call.stack());
        }
    }

    private static void write(DataOutputStream out, List<String> texts) throws IOException {
        out.writeInt(texts.size());
        for (String text : texts) {
            out.writeUTF(text);
        }
    }

    /**
     * What was written last.
     *
     * @throws IOException if there is none, or it is damaged
     */
    public static RegionSnapshot read(Path folder) throws IOException {
        Path file = folder.resolve(FILE);
        return read(Files.readAllBytes(file), file.toString());
    }

    /**
     * What {@link #written} answers.
     *
     * @param source where it is from, for people
     * @throws IOException if it is something else
     */
    public static RegionSnapshot read(byte[] written, String source) throws IOException {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(written))) {
            if (in.readInt() != MAGIC) {
                throw new IOException(source + " is not what this version of the agent writes");
            }
            long elapsedNanos = in.readLong();
            List<Region> regions = new ArrayList<>();
            // Lists grow as they are read, so that a damaged number ends where the file does.
            for (int left = in.readInt(); left > 0; left--) {
                regions.add(region(in));
            }
            return new RegionSnapshot(elapsedNanos, regions);
        } catch (EOFException e) {
            throw new IOException(source + " is cut off", e);
        }
    }

    private static Region region(DataInputStream in) throws IOException {
        Method method = new Method(in.readUTF(), in.readUTF(), in.readUTF());
        long calls = in.readLong();
        long totalNanos = in.readLong();
        List<Bucket> buckets = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            buckets.add(new Bucket(in.readLong(), in.readLong(), in.readLong()));
        }
        List<Call> last = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            last.add(new Call(in.readLong(), in.readLong()));
        }
        List<SlowCall> slowest = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            slowest.add(
                    new SlowCall(in.readLong(), in.readLong(), in.readUTF(), texts(in), texts(in)));
        }
        return new Region(method, calls, totalNanos, buckets, last, slowest);
    }

    private static List<String> texts(DataInputStream in) throws IOException {
        List<String> texts = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            texts.add(in.readUTF());
        }
        return texts;
    }
}
