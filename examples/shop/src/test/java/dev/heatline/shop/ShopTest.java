package dev.heatline.shop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every page of both versions, over HTTP. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ShopTest {
    private final HttpClient client = HttpClient.newHttpClient();
    private final List<Shop> shops = new ArrayList<>();

    @BeforeAll
    void start() throws IOException, SQLException {
        for (String version : List.of("1.0", "1.1")) {
            Shop shop = new Shop(version, 0);
            shops.add(shop);
            shop.start();
        }
    }

    @AfterAll
    void stop() throws SQLException {
        client.close();
        for (Shop shop : shops) {
            shop.close();
        }
    }

    Stream<URI> both() {
        return shops.stream().map(Shop::address);
    }

    @Test
    void aShopKnowsItsVersion() {
        assertThat(get(shops.get(0).address(), "/version")).isEqualTo("1.0\n");
        assertThat(get(shops.get(1).address(), "/version")).isEqualTo("1.1\n");
    }

    @Test
    void bothVersionsAskTheSamePrices() {
        List<String> answers = both().map(shop -> get(shop, "/prices")).toList();

        assertThat(answers.get(0)).matches("[1-9][0-9]{8,}\n").isEqualTo(answers.get(1));
    }

    @ParameterizedTest
    @MethodSource("both")
    void aProductIsShownWithPriceAndStock(URI shop) {
        String page = get(shop, "/product?id=7");

        assertThat(page).startsWith("7\t").contains(" No. 7\t").endsWith(" in stock\n");
        assertThat(price(page) % 5).as("rounded to five cents").isZero();
    }

    @ParameterizedTest
    @MethodSource("both")
    void aCategoryListsTheCheapestBelowItFirst(URI shop) {
        List<Long> root = get(shop, "/category?id=0").lines().map(ShopTest::price).toList();
        List<Long> leaf = get(shop, "/category?id=110").lines().map(ShopTest::price).toList();

        assertThat(root).hasSize(30).isSorted();
        assertThat(leaf).isNotEmpty().isSorted();
        assertThat(root.get(0)).isLessThanOrEqualTo(leaf.get(0));
    }

    @ParameterizedTest
    @MethodSource("both")
    void bestsellersAreTenProducts(URI shop) {
        assertThat(get(shop, "/bestsellers?category=4").lines())
                .hasSize(10)
                .doesNotHaveDuplicates();
        assertThat(get(shop, "/bestsellers?category=-1")).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("both")
    void aSearchFindsProductsWithTheWords(URI shop) {
        List<String> found = get(shop, "/search?q=Teapot+walnut").lines().toList();

        assertThat(found).hasSize(20);
        String best =
                get(shop, "/product?id=" + found.get(0).substring(0, found.get(0).indexOf('\t')));
        assertThat(best).contains("teapot").contains("walnut");
        assertThat(get(shop, "/search?q=submarine")).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("both")
    void recommendationsAreOtherProducts(URI shop) {
        List<String> others = get(shop, "/recommendations?id=3").lines().toList();

        assertThat(others).hasSize(8).doesNotHaveDuplicates().doesNotContain("3");
    }

    @ParameterizedTest
    @MethodSource("both")
    void aPictureIsATextOfGreyValues(URI shop) {
        List<String> lines = get(shop, "/picture?id=5").lines().toList();

        assertThat(lines).hasSize(17);
        assertThat(lines.get(0)).isEqualTo("P2 16 16 255");
        assertThat(lines.get(16)).matches("([0-9]{1,3} ){16}");
    }

    @ParameterizedTest
    @MethodSource("both")
    void aBasketIsBoughtAndTakenFromStock(URI shop) {
        long price = price(get(shop, "/product?id=11"));
        long before = number(get(shop, "/stock?id=11"));
        long orders = number(get(shop, "/orders"));

        post(shop, "/basket?customer=ann&product=11&quantity=2");
        long total = number(post(shop, "/basket?customer=ann&product=11&quantity=1"));

        assertThat(total).isBetween(price * 3 * 85 / 100, price * 3);
        assertThat(number(get(shop, "/basket?customer=ann"))).isEqualTo(total);
        assertThat(number(post(shop, "/checkout?customer=ann"))).isEqualTo(total);
        assertThat(number(get(shop, "/stock?id=11"))).isEqualTo(before - 3);
        assertThat(number(get(shop, "/orders"))).isEqualTo(orders + 1);
        assertThat(number(get(shop, "/basket?customer=ann"))).isZero();

        assertThat(number(post(shop, "/stock/take"))).isEqualTo(Database.PRODUCTS);
        assertThat(number(get(shop, "/stock?id=11"))).isEqualTo(before);
        assertThat(number(post(shop, "/orders/archive"))).isEqualTo(orders + 1);
        assertThat(number(get(shop, "/orders"))).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /nothing, 404, there is no page /nothing",
        "POST, /search?q=oak, 404, there is no page /search",
        "GET, /product?id=1000, 404, there is no product 1000",
        "GET, /recommendations?id=-1, 404, there is no product -1",
        "GET, /stock?id=5000, 404, there is no product 5000",
        "GET, /category?id=500, 404, there is no category 500",
        "GET, /product?id=x, 400, 'id must be a number, but is x'",
        "GET, /search, 400, the parameter q is missing",
        "POST, /basket?customer=bo&product=1&quantity=0, 400, 'quantity must be 1 to 100, but is 0'",
        "POST, /checkout?customer=bo, 409, the basket of bo is empty",
    })
    void whatCannotBeAnsweredIsExplained(String method, String path, int status, String why) {
        HttpResponse<String> answer = send(shops.get(0).address(), method, path);

        assertThat(answer.statusCode()).isEqualTo(status);
        assertThat(answer.body()).isEqualTo(why + "\n");
    }

    @Test
    void theLoadSendsAsManyRequestsAsItWasTold() throws InterruptedException {
        Load load = new Load(shops.get(0).address(), 500, 300, 7);
        load.start();
        load.await();

        assertThat(load.sent()).isEqualTo(300);
    }

    private String get(URI shop, String path) {
        return ok(send(shop, "GET", path));
    }

    private String post(URI shop, String path) {
        return ok(send(shop, "POST", path));
    }

    private static String ok(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return answer.body();
    }

    private HttpResponse<String> send(URI shop, String method, String path) {
        HttpRequest request =
                HttpRequest.newBuilder(shop.resolve(path))
                        .method(method, HttpRequest.BodyPublishers.noBody())
                        .build();
        try {
            return client.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(method + " " + path, e);
        }
    }

    private static long number(String answer) {
        return Long.parseLong(answer.strip());
    }

    /** The price at the end of a product's line. */
    private static long price(String product) {
        String line = product.lines().findFirst().orElseThrow();
        return Long.parseLong(line.substring(line.lastIndexOf('\t') + 1));
    }
}
