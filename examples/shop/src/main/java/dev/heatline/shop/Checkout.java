package dev.heatline.shop;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Map;

/** Prices a basket and turns it into an order. */
final class Checkout {
    private final Database database;
    private final Catalogue catalogue;
    private final Prices prices;
    private final Discounts discounts;
    private final Stock stock;
    private final OrderLog log;
    private final Mail mail;

    Checkout(
            Database database,
            Catalogue catalogue,
            Prices prices,
            Discounts discounts,
            Stock stock,
            OrderLog log,
            Mail mail) {
        this.database = database;
        this.catalogue = catalogue;
        this.prices = prices;
        this.discounts = discounts;
        this.stock = stock;
        this.log = log;
        this.mail = mail;
    }

    /** What a basket costs, with tax and after discounts, in cents. */
    long total(Map<Integer, Integer> basket) throws SQLException {
        long cents = 0;
        int pieces = 0;
        for (Map.Entry<Integer, Integer> line : basket.entrySet()) {
            cents += prices.withTax(catalogue.product(line.getKey()).cents()) * line.getValue();
            pieces += line.getValue();
        }
        return cents * (100 - discounts.percent(cents, pieces)) / 100;
    }

    /** Buys a basket; returns its price in cents. */
    long buy(String customer, Map<Integer, Integer> basket) throws SQLException {
        long cents = total(basket);
        try (Connection connection = database.connect();
                PreparedStatement insert =
                        connection.prepareStatement(
                                "insert into purchase(customer, cents) values(?, ?)")) {
            for (Map.Entry<Integer, Integer> line : basket.entrySet()) {
                stock.reserve(line.getKey(), line.getValue());
            }
            insert.setString(1, customer);
            insert.setLong(2, cents);
            insert.executeUpdate();
        }
        log.add(customer, cents);
        mail.confirm(customer, basket, cents);
        return cents;
    }
}
