package dev.heatline.bench.workload;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Random;

/** A database (H2): orders, and a report over them by city. */
final class Database implements Unit {
    private final Connection connection;
    private final int orders;
    private final int reports;
    private int reported;

    /** Makes so many orders before each report, and begins anew after so many reports. */
    Database(int orders, int reports) throws SQLException {
        this.orders = orders;
        this.reports = reports;
        connection = DriverManager.getConnection("jdbc:h2:mem:bench");
        execute("create table customer(id int primary key, name varchar, city varchar)");
        execute("create table orders(id identity, customer int, amount decimal(10,2))");
        execute("create index by_customer on orders(customer)");
        for (int i = 0; i < 2000; i++) {
            execute("insert into customer values(" + i + ",'n" + i + "','c" + i % 40 + "')");
        }
    }

    private void execute(String sql) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.execute();
        }
    }

    @Override
    public void run(Random random) throws SQLException {
        for (int i = 0; i < orders; i++) {
            execute(
                    "insert into orders(customer, amount) values("
                            + random.nextInt(2000)
                            + ","
                            + random.nextInt(90)
                            + ".5)");
        }
        String report =
                "select c.city, count(*), sum(o.amount) from orders o join customer c on"
                        + " o.customer = c.id where c.name like ? group by c.city order by 3"
                        + " desc";
        try (PreparedStatement statement = connection.prepareStatement(report)) {
            statement.setString(1, "n" + random.nextInt(10) + "%");
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    rows.getBigDecimal(3);
                }
            }
        }
        if (++reported % reports == 0) {
            execute("delete from orders");
        }
    }
}
