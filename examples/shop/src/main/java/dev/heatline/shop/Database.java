package dev.heatline.shop;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Random;
import java.util.Scanner;
import java.util.UUID;
import org.h2.jdbcx.JdbcConnectionPool;

/** The shop's database, in memory, filled with the same articles every time. */
final class Database implements AutoCloseable {
    static final int PRODUCTS = 1000;

    /** Categories form a tree: the parent of n is n / 3, that of 0 itself. */
    static final int CATEGORIES = 120;

    private static final int ALSO_BOUGHT = 30;
    private static final int PIECES = 1_000_000;

    private static final String[] WORDS =
            words(
                    """
            amber apple basket birch bottle bread brush candle carpet cedar chair cherry
            clock coffee copper cotton cup curtain desk drawer felt flask fork garden
            ginger glass gold green hammer handle honey iron jacket kettle knife ladder
            lamp leather lemon linen maple marble mirror oak olive orange paper pear
            pepper pillow plate red ribbon rope saddle scissors shelf silk silver soap
            spoon steel stone table teapot towel vase velvet walnut wax wheel willow
            window wood wool
            """);

    private final JdbcConnectionPool pool;

    /** A new database; every shop of a JVM has its own. */
    Database() throws SQLException {
        String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
        pool = JdbcConnectionPool.create(url + ";DB_CLOSE_ON_EXIT=FALSE", "shop", "");
        pool.setMaxConnections(16);
        try (Connection connection = connect()) {
            createTables(connection);
            connection.setAutoCommit(false);
            Random random = new Random(1);
            fillCategories(connection);
            fillProducts(connection, random);
            fillAlsoBought(connection, random);
            connection.commit();
            connection.setAutoCommit(true);
        }
    }

    Connection connect() throws SQLException {
        return pool.getConnection();
    }

    private static String[] words(String text) {
        try (Scanner scanner = new Scanner(text)) {
            return scanner.tokens().toArray(String[]::new);
        }
    }

    /** A word that occurs in the catalogue. */
    static String word(Random random) {
        return WORDS[random.nextInt(WORDS.length)];
    }

    private static void createTables(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    "create table category(id int primary key, parent int, name varchar(80))");
            statement.execute(
                    "create table product(id int primary key, category int, name varchar(80),"
                            + " description varchar(2000), cents bigint, pieces int)");
            statement.execute("create index product_category on product(category, cents)");
            statement.execute("create table also_bought(product int, other int, times int)");
            statement.execute(
                    "create table purchase(id int auto_increment primary key,"
                            + " customer varchar(80), cents bigint)");
        }
    }

    private static void fillCategories(Connection connection) throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement("insert into category values(?, ?, ?)")) {
            for (int id = 0; id < CATEGORIES; id++) {
                insert.setInt(1, id);
                insert.setInt(2, id / 3);
                insert.setString(3, WORDS[id % WORDS.length] + " things");
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }

    private static void fillProducts(Connection connection, Random random) throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement("insert into product values(?, ?, ?, ?, ?, ?)")) {
            for (int id = 0; id < PRODUCTS; id++) {
                insert.setInt(1, id);
                insert.setInt(2, random.nextInt(CATEGORIES));
                insert.setString(3, word(random) + " " + word(random) + " No. " + id);
                insert.setString(4, description(random));
                insert.setLong(5, 100 + random.nextInt(50_000));
                insert.setInt(6, PIECES);
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }

    private static String description(Random random) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 60; i++) {
            text.append(word(random)).append(i % 12 == 11 ? ". " : " ");
        }
        return text.toString();
    }

    private static void fillAlsoBought(Connection connection, Random random) throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement("insert into also_bought values(?, ?, ?)")) {
            for (int id = 0; id < PRODUCTS; id++) {
                for (int i = 0; i < ALSO_BOUGHT; i++) {
                    insert.setInt(1, id);
                    insert.setInt(2, random.nextInt(PRODUCTS));
                    insert.setInt(3, 1 + random.nextInt(100));
                    insert.addBatch();
                }
            }
            insert.executeBatch();
        }
    }

    @Override
    public void close() throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute("shutdown");
        }
        pool.dispose();
    }
}
