package dev.heatline.formats.jfr;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The tree inside a metadata event, which is XML in all but its encoding. */
final class MetadataElements {

    /** Deeper than any writer goes (6), and shallow enough to be walked by recursion. */
    private static final int MAX_DEPTH = 32;

    private final Cursor in;
    private final String[] strings;
    private final Element root;

    /** An element with its attributes. */
    record Element(String name, Map<String, String> attributes, List<Element> children) {

        String text(String attribute) {
            return attributes.getOrDefault(attribute, "");
        }

        long number(String attribute) {
            String text = text(attribute);
            try {
                return Long.parseLong(text);
            } catch (NumberFormatException e) {
                throw new Damage(
                        "has a metadata element "
                                + name
                                + " whose "
                                + attribute
                                + " is '"
                                + text
                                + "', not a number");
            }
        }
    }

    MetadataElements(Cursor in, String[] strings) {
        this.in = in;
        this.strings = strings;
        this.root = element(0);
    }

    Element root() {
        return root;
    }

    private Element element(int depth) {
        if (depth > MAX_DEPTH) {
            throw new Damage("has metadata nested deeper than " + MAX_DEPTH);
        }
        String name = string();
        Map<String, String> attributes = new HashMap<>();
        for (int left = in.readCount(); left > 0; left--) {
            attributes.put(string(), string());
        }
        List<Element> children = new ArrayList<>();
        for (int left = in.readCount(); left > 0; left--) {
            children.add(element(depth + 1));
        }
        return new Element(name, attributes, children);
    }

    private String string() {
        int index = in.readInt();
        if (index < 0 || index >= strings.length) {
            throw new Damage("has metadata that refers to text " + index + " of " + strings.length);
        }
        return strings[index];
    }
}
