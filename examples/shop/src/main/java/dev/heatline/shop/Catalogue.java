package dev.heatline.shop;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** The articles, as the database has them. */
final class Catalogue {
    private static final String COLUMNS =
            "select id, category, name, description, cents from product ";

    private final Database database;

    Catalogue(Database database) {
        this.database = database;
    }

    Product product(int id) throws SQLException {
        try (Connection connection = database.connect();
                PreparedStatement select = connection.prepareStatement(COLUMNS + "where id = ?")) {
            select.setInt(1, id);
            try (ResultSet rows = select.executeQuery()) {
                if (!rows.next()) {
                    throw RequestException.notFound("there is no product " + id);
                }
                return read(rows);
            }
        }
    }

    /** The cheapest products of some categories, cheapest first. */
    List<Product> cheapest(List<Integer> categories, int limit) throws SQLException {
        try (Connection connection = database.connect();
                PreparedStatement select =
                        connection.prepareStatement(
                                COLUMNS
                                        + "where category = any(?)"
                                        + " order by cents, id fetch first ? rows only")) {
            select.setObject(1, categories.toArray(Integer[]::new));
            select.setInt(2, limit);
            return readAll(select);
        }
    }

    /** The ids of what was most often bought with products of a category. */
    List<Integer> bestsellers(int category) throws SQLException {
        try (Connection connection = database.connect();
                PreparedStatement select =
                        connection.prepareStatement(
                                "select other from also_bought where product in"
                                        + " (select id from product where category = ?)"
                                        + " group by other order by sum(times) desc, other"
                                        + " fetch first 10 rows only")) {
            select.setInt(1, category);
            List<Integer> ids = new ArrayList<>();
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    ids.add(rows.getInt(1));
                }
            }
            return ids;
        }
    }

    /** Every product, by id. */
    List<Product> all() throws SQLException {
        try (Connection connection = database.connect();
                PreparedStatement select = connection.prepareStatement(COLUMNS + "order by id")) {
            return readAll(select);
        }
    }

    private static List<Product> readAll(PreparedStatement select) throws SQLException {
        List<Product> products = new ArrayList<>();
        try (ResultSet rows = select.executeQuery()) {
            while (rows.next()) {
                products.add(read(rows));
            }
        }
        return products;
    }

    private static Product read(ResultSet row) throws SQLException {
        return new Product(
                row.getInt(1), row.getInt(2), row.getString(3), row.getString(4), row.getLong(5));
    }
}
