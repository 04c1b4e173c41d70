package dev.heatline.shop;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** What customers want to buy: product ids with quantities. */
final class Baskets {
    private static final int LARGEST = 50;

    private final Map<String, Map<Integer, Integer>> baskets = new ConcurrentHashMap<>();

    /** Adds a product; a basket holds a limited number of different ones. */
    void add(String customer, int product, int quantity) {
        if (quantity < 1 || quantity > 100) {
            throw RequestException.wrong("quantity must be 1 to 100, but is " + quantity);
        }
        baskets.compute(
                customer,
                (any, old) -> {
                    Map<Integer, Integer> basket =
                            old == null ? new TreeMap<>() : new TreeMap<>(old);
                    basket.merge(product, quantity, Integer::sum);
                    if (basket.size() > LARGEST) {
                        throw RequestException.conflict("the basket is full: check out first");
                    }
                    return basket;
                });
    }

    Map<Integer, Integer> of(String customer) {
        return baskets.getOrDefault(customer, Map.of());
    }

    /** Empties a basket and returns what was in it. */
    Map<Integer, Integer> take(String customer) {
        Map<Integer, Integer> basket = baskets.remove(customer);
        if (basket == null) {
            throw RequestException.conflict("the basket of " + customer + " is empty");
        }
        return basket;
    }
}
