package dev.heatline.shop;

import java.util.List;

/**
 * Price lists in several currencies. Known trouble: the regression of version 1.1, in {@link
 * #round}. This is the only class that knows the version.
 */
final class Prices {
    /** Units of a currency for a thousand euros. */
    private static final long[] RATES = {
        1000, 1084, 857, 1641, 951, 11_390, 7460, 4270, 24_700, 389, 1472, 1655
    };

    /** How prices are written; the decimals say of what they are a multiple. */
    private static final char[] PATTERN = "###,###,###,###,###,###,###,###,##0.05;".toCharArray();

    private static final int QUANTITIES = 15;
    private static final long VAT_PERCENT = 19;

    private final boolean readsPatternEachTime;

    Prices(String version) {
        readsPatternEachTime = version.equals("1.1");
    }

    /** A price with tax, rounded, in cents. */
    long withTax(long cents) {
        long[] one = {cents};
        round(one);
        return one[0];
    }

    /** The sum of every product's rounded prices in all currencies and quantities. */
    long sumOfList(List<Product> products) {
        long[] amounts = new long[QUANTITIES];
        long sum = 0;
        for (Product product : products) {
            for (long rate : RATES) {
                long each = product.cents() * rate / 1000;
                for (int i = 0; i < QUANTITIES; i++) {
                    amounts[i] = each * (i + 1);
                }
                round(amounts);
                for (long amount : amounts) {
                    sum += amount;
                }
            }
        }
        return sum;
    }

    /**
     * Adds tax to each amount and rounds it up. Version 1.0 reads the pattern once for all of them,
     * version 1.1 again for each.
     */
    private void round(long[] amounts) {
        long step = 0;
        for (int i = 0; i < amounts.length; i++) {
            if (step == 0 || readsPatternEachTime) {
                step = 0;
                int at = 0;
                while (PATTERN[at] != '.') {
                    at++;
                }
                while (PATTERN[++at] != ';') {
                    step = step * 10 + (PATTERN[at] - '0');
                }
            }
            long taxed = amounts[i] * (100 + VAT_PERCENT) / 100;
            while (taxed % step != 0) {
                taxed++;
            }
            amounts[i] = taxed;
        }
    }
}
