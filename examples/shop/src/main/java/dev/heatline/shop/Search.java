package dev.heatline.shop;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Finds products by words. Known trouble: the CPU hot spot, {@link #relevance}, which reads the
 * whole text of every candidate once for each word instead of asking the index.
 */
final class Search {
    private static final int BEST = 20;

    /** A product with its text in lower case. */
    private static final class Entry {
        private final Product product;
        private final char[] text;

        Entry(Product product, String text) {
            this.product = product;
            this.text = text.toCharArray();
        }
    }

    private record Hit(Product product, long score) {}

    private volatile Map<String, List<Entry>> index = Map.of();

    /** Replaces the index by one of these products; searches go on meanwhile. */
    void index(List<Product> products) {
        Map<String, List<Entry>> next = new HashMap<>();
        for (Product product : products) {
            String text = (product.name() + " " + product.description()).toLowerCase(Locale.ROOT);
            Entry entry = new Entry(product, text);
            for (String word : words(text)) {
                next.computeIfAbsent(word, any -> new ArrayList<>()).add(entry);
            }
        }
        index = next;
    }

    /** The products that have any of the words, the most relevant first. */
    List<Product> find(String query) {
        Set<String> words = words(query.toLowerCase(Locale.ROOT));
        List<char[]> letters = words.stream().map(String::toCharArray).toList();
        List<Hit> hits = new ArrayList<>();
        for (Entry entry : candidates(words)) {
            long score = 0;
            for (char[] word : letters) {
                score += relevance(entry.text, word);
            }
            hits.add(new Hit(entry.product, score));
        }
        hits.sort(
                Comparator.comparingLong(Hit::score)
                        .reversed()
                        .thenComparingInt(hit -> hit.product().id()));
        return hits.stream().limit(BEST).map(Hit::product).toList();
    }

    private Set<Entry> candidates(Set<String> words) {
        Map<String, List<Entry>> current = index;
        Set<Entry> candidates = new TreeSet<>(Comparator.comparingInt(e -> e.product.id()));
        for (String word : words) {
            candidates.addAll(current.getOrDefault(word, List.of()));
        }
        return candidates;
    }

    /** How well a text fits a word: the longest matches at every position, squared, early first. */
    private static long relevance(char[] text, char[] word) {
        long score = 0;
        for (int start = 0; start < text.length; start++) {
            int longest = 0;
            for (int from = 0; from < word.length; from++) {
                int length = 0;
                while (from + length < word.length
                        && start + length < text.length
                        && text[start + length] == word[from + length]) {
                    length++;
                }
                longest = Math.max(longest, length);
            }
            score += (long) longest * longest * (text.length - start);
        }
        return score;
    }

    private static Set<String> words(String text) {
        Set<String> words = new TreeSet<>();
        int start = 0;
        for (int i = 0; i <= text.length(); i++) {
            if (i == text.length() || !Character.isLetterOrDigit(text.charAt(i))) {
                if (i > start) {
                    words.add(text.substring(start, i));
                }
                start = i + 1;
            }
        }
        return words;
    }
}
