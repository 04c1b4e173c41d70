package dev.heatline.store;

import java.util.ArrayList;
import java.util.List;

/**
 * What is known of a stored profile without reading it.
 *
 * @param untilNanos moment after the last it covers
 * @param dictionary what its ids mean
 * @param shape which resources, facts and counts it has
 * @param firstUpload the smallest number of the uploads in it
 * @param lastUpload the largest
 * @param samples how many observations its main resource has
 * @param bodyBytes size of its tree and values before compression
 * @param coveredFromNanos as its provenance says; likewise {@code coveredUntilNanos}
 * @param totals of its resources
 * @param counts of its provenance
 * @param moments when its resources were observed
 */
record Head(
        long untilNanos,
        long dictionary,
        int shape,
        long firstUpload,
        long lastUpload,
        long uploads,
        long samples,
        long nodes,
        long bodyBytes,
        long coveredFromNanos,
        long coveredUntilNanos,
        List<Long> totals,
        List<Long> counts,
        StoredMoments moments) {

    byte[] toBytes() {
        Output out =
                new Output()
                        .signed(untilNanos)
                        .number(dictionary)
                        .number(shape)
                        .number(firstUpload)
                        .number(lastUpload - firstUpload)
                        .number(uploads)
                        .number(samples)
                        .number(nodes)
                        .number(bodyBytes)
                        .signed(coveredFromNanos)
                        .signed(coveredUntilNanos)
                        .number(totals.size());
        totals.forEach(out::number);
        out.number(counts.size());
        counts.forEach(out::signed);
        moments.write(out);
        return out.toBytes();
    }

    static Head read(byte[] bytes) {
        Input in = new Input(bytes);
        long untilNanos = in.signed();
        long dictionary = in.number();
        int shape = in.small();
        long firstUpload = in.number();
        return new Head(
                untilNanos,
                dictionary,
                shape,
                firstUpload,
                firstUpload + in.number(),
                in.number(),
                in.number(),
                in.number(),
                in.number(),
                in.signed(),
                in.signed(),
                numbers(in, false),
                numbers(in, true),
                StoredMoments.read(in));
    }

    private static List<Long> numbers(Input in, boolean signed) {
        int count = in.count();
        List<Long> numbers = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            numbers.add(signed ? in.signed() : in.number());
        }
        return numbers;
    }
}
