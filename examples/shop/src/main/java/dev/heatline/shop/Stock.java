package dev.heatline.shop;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * Pieces in stock. Known trouble: one monitor for everything, which {@link #take} holds while it
 * waits for the warehouse; meanwhile all others block.
 */
final class Stock {
    private final Database database;
    private final int[] pieces = new int[Database.PRODUCTS];

    Stock(Database database) throws SQLException {
        this.database = database;
        take();
    }

    /** Pieces of a product. */
    synchronized int pieces(int product) {
        if (product < 0 || product >= pieces.length) {
            throw RequestException.notFound("there is no product " + product);
        }
        return pieces[product];
    }

    synchronized void reserve(int product, int quantity) {
        if (pieces(product) < quantity) {
            throw RequestException.conflict("only " + pieces[product] + " of " + product + " left");
        }
        pieces[product] -= quantity;
    }

    /** Takes stock anew; returns the number of products. Slow. */
    synchronized int take() throws SQLException {
        try (Connection connection = database.connect();
                PreparedStatement select =
                        connection.prepareStatement("select id, pieces from product");
                ResultSet rows = select.executeQuery()) {
            int products = 0;
            while (rows.next()) {
                pieces[rows.getInt(1)] = rows.getInt(2);
                products++;
            }
            Remote.answer();
            return products;
        }
    }
}
