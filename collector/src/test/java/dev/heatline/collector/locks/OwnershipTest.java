package dev.heatline.collector.locks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.collector.locks.Ownership.Slice;
import java.util.ArrayDeque;
import java.util.Iterator;
import org.junit.jupiter.api.Test;

/** What a waiter's time is divided by. */
final class OwnershipTest {
    private static final int OWNERS = 50_000;

    /** Counts what is looked at. */
    private static final class Counting extends ArrayDeque<Slice> {
        private static final long serialVersionUID = 1L;

        private long looked;

        @Override
        public Iterator<Slice> iterator() {
            return counting(super.iterator());
        }

        @Override
        public Iterator<Slice> descendingIterator() {
            return counting(super.descendingIterator());
        }

        private Iterator<Slice> counting(Iterator<Slice> slices) {
            return new Iterator<>() {
                @Override
                public boolean hasNext() {
                    return slices.hasNext();
                }

                @Override
                public Slice next() {
                    looked++;
                    return slices.next();
                }
            };
        }
    }

    /** One waits all the time, and every owner keeps another waiting for the half of its time. */
    @Test
    void whoWaitsBrieflyIsNotDividedByAllWhoCameBefore() {
        Counting slices = new Counting();
        Ownership ownership = new Ownership(slices);
        long charged = 0;
        for (int owner = 0; owner < OWNERS; owner++) {
            long from = 10L * owner;
            ownership.held(from, from + 10, owner, 0);
            for (Ownership.Part part : ownership.divide(from + 5, from + 10)) {
                assertThat(part.thread()).isEqualTo(owner);
                charged += part.nanos();
            }
        }

        assertThat(charged).isEqualTo(5L * OWNERS);
        assertThat(slices.looked).isLessThanOrEqualTo(2L * OWNERS);
        assertThat(ownership.divide(0, 10L * OWNERS)).hasSize(OWNERS);
    }
}
