package dev.heatline.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class NearNamesTest {

    @Test
    void theNearestOfManyIsFound() {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < 100_000; i++) {
            names.add("com.shop.C" + i + ".m" + i * 31);
        }
        names.add("com.shop.Orders.total");
        assertThat(NearNames.suggest("Order.totl", names))
                .isEqualTo("; did you mean com.shop.Orders.total?");
    }

    @Test
    void whatIsFarIsNoSuggestion() {
        assertThat(NearNames.suggest("xyz", List.of("Orders.total", "Cart.add"))).isEmpty();
        assertThat(NearNames.suggest("total", List.of("com.shop.Orders.total")))
                .isEqualTo("; did you mean com.shop.Orders.total?");
    }
}
