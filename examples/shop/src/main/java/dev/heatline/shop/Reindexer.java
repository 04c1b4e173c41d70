package dev.heatline.shop;

import java.sql.SQLException;

/** Brings the search index up to date in the background, in a thread of its own. */
final class Reindexer implements AutoCloseable {
    private static final long PAUSE_MILLIS = 2000;

    private final Catalogue catalogue;
    private final Search search;
    private final Thread thread = new Thread(this::run, "reindexer");

    /** Indexes once before it returns, so that the first search finds something. */
    Reindexer(Catalogue catalogue, Search search) throws SQLException {
        this.catalogue = catalogue;
        this.search = search;
        reindex();
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    private void run() {
        try {
            while (true) {
                Thread.sleep(PAUSE_MILLIS);
                reindex();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (SQLException e) {
            System.err.println("shop: the search index stays as it is: " + e.getMessage());
        }
    }

    private void reindex() throws SQLException {
        search.index(catalogue.all());
    }

    @Override
    public void close() {
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
