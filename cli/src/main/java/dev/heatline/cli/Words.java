package dev.heatline.cli;

import java.util.Iterator;
import java.util.List;

/** What may be typed for an option, where its Java names look different. */
abstract class Words implements Iterable<String> {
    private final List<String> words;

    Words(String... words) {
        this.words = List.of(words);
    }

    @Override
    public Iterator<String> iterator() {
        return words.iterator();
    }
}
