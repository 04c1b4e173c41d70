package dev.heatline.store;

import dev.heatline.model.Column;
import dev.heatline.model.ModelException;
import dev.heatline.model.Moments;
import dev.heatline.model.Profile;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.function.ObjIntConsumer;

/** When the resources of a profile were observed: unread, since most who read a head do not ask. */
final class StoredMoments {
    private static final StoredMoments NONE = new StoredMoments(new byte[0]);

    private final byte[] bytes;

    private StoredMoments(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Those of the resources that a profile has. */
    static StoredMoments of(Profile profile) {
        SortedMap<String, Moments> byName = profile.provenance().moments();
        if (byName.isEmpty()) {
            return NONE;
        }
        Output out = new Output();
        List<Column> columns = profile.columns();
        for (int place = 0; place < columns.size(); place++) {
            Moments when = byName.get(columns.get(place).resource().name());
            if (when != null) {
                byte[] written = written(when);
                out.number(place).number(written.length).bytes(written);
            }
        }
        return new StoredMoments(out.toBytes());
    }

    private static byte[] written(Moments when) {
        Output out = new Output().number(when.seconds()).signed(when.first());
        for (int i = 0; i < when.size(); i++) {
            out.number(when.amount(i));
        }
        return out.toBytes();
    }

    void write(Output out) {
        out.bytes(bytes);
    }

    /** All that is left. A head that was written before there were moments ends before them. */
    static StoredMoments read(Input in) {
        return in.isAtEnd() ? NONE : new StoredMoments(in.rest());
    }

    /** Those of the resource at a place; none if nothing is known. */
    Moments at(int place) {
        Input in = new Input(bytes);
        while (!in.isAtEnd()) {
            int found = in.small();
            byte[] written = in.bytes(in.count());
            if (found == place) {
                return moments(written);
            }
        }
        return Moments.NONE;
    }

    void forEach(ObjIntConsumer<Moments> action) {
        Input in = new Input(bytes);
        while (!in.isAtEnd()) {
            int place = in.small();
            action.accept(moments(in.bytes(in.count())), place);
        }
    }

    private static Moments moments(byte[] written) {
        Input in = new Input(written);
        long seconds = in.number();
        long first = in.signed();
        long[] amounts = new long[Math.min(written.length, Moments.MOST)];
        int size = 0;
        while (!in.isAtEnd() && size < amounts.length) {
            amounts[size++] = in.number();
        }
        try {
            return Moments.of(seconds, first, Arrays.copyOf(amounts, size));
        } catch (ModelException e) {
            throw Input.damaged();
        }
    }
}
