package dev.heatline.shop;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * What others bought as well. Known trouble: deep stacks, {@link #follow} calls itself for every
 * hop of a chain of {@value #HOPS} products.
 */
final class Recommendations {
    private static final int HOPS = 240;
    private static final int SHOWN = 8;

    /** Pairs (other product, times bought together) for each product. */
    private final int[][][] alsoBought;

    Recommendations(Database database) throws SQLException {
        List<List<int[]>> pairs = new ArrayList<>();
        for (int id = 0; id < Database.PRODUCTS; id++) {
            pairs.add(new ArrayList<>());
        }
        try (Connection connection = database.connect();
                PreparedStatement select =
                        connection.prepareStatement(
                                "select product, other, times from also_bought"
                                        + " order by product, other");
                ResultSet rows = select.executeQuery()) {
            while (rows.next()) {
                int product = rows.getInt(1);
                int other = rows.getInt(2);
                pairs.get(product).add(new int[] {other, rows.getInt(3)});
                pairs.get(other).add(new int[] {product, rows.getInt(3)});
            }
        }
        alsoBought = pairs.stream().map(p -> p.toArray(int[][]::new)).toArray(int[][][]::new);
    }

    /** The first products of the most beaten track that starts at a product. */
    List<Integer> of(int product) {
        if (product < 0 || product >= alsoBought.length) {
            throw RequestException.notFound("there is no product " + product);
        }
        List<Integer> track = new ArrayList<>();
        BitSet seen = new BitSet();
        seen.set(product);
        follow(product, HOPS, seen, track);
        return track.subList(0, Math.min(SHOWN, track.size()));
    }

    private void follow(int product, int hops, BitSet seen, List<Integer> track) {
        int next = next(product, seen);
        if (hops == 0 || next < 0) {
            return;
        }
        seen.set(next);
        track.add(next);
        follow(next, hops - 1, seen, track);
    }

    /** The product most often bought with this one or with one of its neighbours; -1 if none. */
    private int next(int product, BitSet seen) {
        int best = -1;
        int most = 0;
        for (int[] near : alsoBought[product]) {
            for (int[] far : alsoBought[near[0]]) {
                if (near[1] * far[1] > most && !seen.get(far[0])) {
                    most = near[1] * far[1];
                    best = far[0];
                }
            }
        }
        return best;
    }
}
