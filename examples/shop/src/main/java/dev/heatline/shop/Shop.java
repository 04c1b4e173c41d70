package dev.heatline.shop;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** The web shop: an HTTP server on the loopback address, and everything behind it. */
final class Shop implements AutoCloseable {
    private static final int WORKERS = 8;
    private static final int PAGE = 30;

    /** What answers one kind of request. */
    private interface Page {
        String answer(Request request) throws SQLException;
    }

    private final String version;
    private final Database database;
    private final Catalogue catalogue;
    private final Categories categories;
    private final Search search = new Search();
    private final Reindexer reindexer;
    private final Prices prices;
    private final Baskets baskets = new Baskets();
    private final Stock stock;
    private final OrderLog log = new OrderLog();
    private final Mail mail = new Mail();
    private final Checkout checkout;
    private final Recommendations recommendations;
    private final List<Product> products;

    private final Map<String, Page> pages = new HashMap<>();
    private final HttpServer server;
    private final ExecutorService workers;

    /** A shop of a version that listens on a port, or on any free one if that is 0. */
    Shop(String version, int port) throws IOException, SQLException {
        this.version = version;
        database = new Database();
        catalogue = new Catalogue(database);
        categories = new Categories(database);
        products = catalogue.all();
        prices = new Prices(version);
        stock = new Stock(database);
        recommendations = new Recommendations(database);
        reindexer = new Reindexer(catalogue, search);
        checkout = new Checkout(database, catalogue, prices, new Discounts(), stock, log, mail);
        addPages();

        AtomicInteger count = new AtomicInteger();
        workers =
                Executors.newFixedThreadPool(
                        WORKERS, task -> new Thread(task, "request-" + count.getAndIncrement()));
        server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.setExecutor(workers);
        server.createContext("/", this::handle);
    }

    private void addPages() {
        pages.put("GET /version", request -> version + '\n');
        pages.put("GET /category", this::category);
        pages.put(
                "GET /bestsellers",
                request -> lines(catalogue.bestsellers(request.number("category"))));
        pages.put("GET /product", this::product);
        pages.put("GET /search", request -> list(search.find(request.text("q"))));
        pages.put("GET /prices", request -> prices.sumOfList(products) + "\n");
        pages.put("GET /picture", request -> Pictures.thumbnail(request.number("id")));
        pages.put(
                "GET /recommendations", request -> lines(recommendations.of(request.number("id"))));
        pages.put("GET /basket", this::basket);
        pages.put("POST /basket", this::addToBasket);
        pages.put("POST /checkout", this::checkOut);
        pages.put("GET /stock", request -> stock.pieces(request.number("id")) + "\n");
        pages.put("POST /stock/take", request -> stock.take() + "\n");
        pages.put("GET /orders", request -> log.size() + "\n");
        pages.put("POST /orders/archive", request -> log.archive() + "\n");
        pages.put("GET /mails", request -> mail.sent() + "\n");
    }

    void start() {
        reindexer.start();
        server.start();
    }

    URI address() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    private void handle(HttpExchange exchange) throws IOException {
        Request request = new Request(exchange);
        Page page = pages.get(request.method() + ' ' + request.path());
        try {
            if (page == null) {
                throw RequestException.notFound("there is no page " + request.path());
            }
            request.answer(200, page.answer(request));
        } catch (RequestException e) {
            request.answer(e.status(), e.getMessage() + '\n');
        } catch (SQLException e) {
            request.answer(500, "the database failed: " + e.getMessage() + '\n');
        }
    }

    private String category(Request request) throws SQLException {
        return list(catalogue.cheapest(categories.below(request.number("id")), PAGE));
    }

    private String product(Request request) throws SQLException {
        Product product = catalogue.product(request.number("id"));
        return list(List.of(product))
                + product.description()
                + '\n'
                + stock.pieces(product.id())
                + " in stock\n";
    }

    private String basket(Request request) throws SQLException {
        return checkout.total(baskets.of(request.text("customer"))) + "\n";
    }

    private String addToBasket(Request request) throws SQLException {
        Product product = catalogue.product(request.number("product"));
        baskets.add(request.text("customer"), product.id(), request.number("quantity"));
        return basket(request);
    }

    private String checkOut(Request request) throws SQLException {
        String customer = request.text("customer");
        return checkout.buy(customer, baskets.take(customer)) + "\n";
    }

    private String list(List<Product> found) {
        StringBuilder text = new StringBuilder();
        for (Product product : found) {
            text.append(product.id()).append('\t').append(product.name()).append('\t');
            text.append(prices.withTax(product.cents())).append('\n');
        }
        return text.toString();
    }

    private static String lines(List<Integer> numbers) {
        StringBuilder text = new StringBuilder();
        numbers.forEach(number -> text.append(number).append('\n'));
        return text.toString();
    }

    /** Answers what has begun, then closes everything. */
    @Override
    public void close() throws SQLException {
        server.stop(1);
        workers.shutdownNow();
        reindexer.close();
        mail.close();
        database.close();
    }
}
