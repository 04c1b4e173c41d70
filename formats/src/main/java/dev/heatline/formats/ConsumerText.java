package dev.heatline.formats;

import dev.heatline.model.Consumer;
import dev.heatline.model.ConsumerType;
import dev.heatline.model.MethodNames;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Consumers as one piece of text, without loss. Most are written plainly, as people and other tools
 * write them. What plain text cannot tell apart is written as fields: {@code
 * name␟type␟owner␟descriptor␟}, the separator being U+241F.
 *
 * <p>There are two plain styles: {@link #dotted} is {@code java.lang.String.length()I}; {@link
 * #slashed} is async-profiler's {@code java/lang/String.charAt(I)C}, where {@code |} stands for the
 * semicolons of a descriptor.
 */
final class ConsumerText {
    private static final List<Consumer> BRACKETED = List.of(Consumer.TRUNCATED, Consumer.PRUNED);

    private final ConsumerType plainType;
    private final boolean slashed;
    private final String reserved;

    private ConsumerText(ConsumerType plainType, boolean slashed) {
        this.plainType = plainType;
        this.slashed = slashed;
        this.reserved = slashed ? ";" : "";
    }

    /**
     * @param plainType what plain text names
     */
    static ConsumerText dotted(ConsumerType plainType) {
        return new ConsumerText(plainType, false);
    }

    /** Methods as async-profiler writes them; never contains a semicolon. */
    static ConsumerText slashed() {
        return new ConsumerText(ConsumerType.METHOD, true);
    }

    /** Text that {@link #read} turns into an equal consumer. */
    String write(Consumer consumer) {
        String plain = plain(consumer, slashed);
        if (!plain.isEmpty() && read(plain).equals(consumer)) {
            return plain;
        }
        // Other languages put slashes and dots into names in ways of their own.
        String asItIs = plain(consumer, false);
        boolean leadsBack = !asItIs.isEmpty() && read(asItIs).equals(consumer);
        return leadsBack ? asItIs : fields(consumer);
    }

    /** The plain style without a descriptor, for people: may not lead back to the consumer. */
    String brief(Consumer consumer) {
        return plain(new Consumer(consumer.type(), consumer.owner(), consumer.name(), ""), slashed);
    }

    /** Every text is a consumer. */
    Consumer read(String text) {
        if (text.indexOf(Escapes.FIELD) >= 0) {
            String[] field = text.split(String.valueOf(Escapes.FIELD), -1);
            ConsumerType type = typeOf(field[1]);
            if (field.length == 5 && type != null && field[4].isEmpty()) {
                return new Consumer(
                        type,
                        Escapes.unescape(field[2]),
                        Escapes.unescape(field[0]),
                        Escapes.unescape(field[3]));
            }
        }
        for (Consumer label : BRACKETED) {
            if (label.name().equals(text)) {
                return label;
            }
        }
        return plainType == ConsumerType.METHOD
                ? method(text)
                : new Consumer(plainType, "", Escapes.unescape(text), "");
    }

    /** The unambiguous form. */
    String fields(Consumer consumer) {
        String separator = String.valueOf(Escapes.FIELD);
        return Escapes.escape(consumer.name(), reserved)
                + separator
                + consumer.type().label()
                + separator
                + Escapes.escape(consumer.owner(), reserved)
                + separator
                + Escapes.escape(consumer.descriptor(), reserved)
                + separator;
    }

    private String plain(Consumer consumer, boolean withSlashes) {
        String name = consumer.name();
        if (consumer.isMethod()) {
            String owner = withSlashes ? slashes(consumer.owner()) : consumer.owner();
            String descriptor =
                    slashed ? consumer.descriptor().replace(';', '|') : consumer.descriptor();
            name = (owner.isEmpty() ? name : owner + '.' + name) + descriptor;
        }
        return Escapes.escape(name, reserved);
    }

    private Consumer method(String text) {
        int descriptorAt = Descriptors.find(text);
        if (descriptorAt < 0) {
            return unescaped(MethodNames.parse(text), "");
        }
        String descriptor = text.substring(descriptorAt);
        return unescaped(
                MethodNames.parse(text.substring(0, descriptorAt)),
                slashed ? descriptor.replace('|', ';') : descriptor);
    }

    private Consumer unescaped(Consumer method, String descriptor) {
        String owner = slashed ? dots(method.owner()) : method.owner();
        return Consumer.method(
                Escapes.unescape(owner),
                Escapes.unescape(method.name()),
                Escapes.unescape(method.descriptor() + descriptor));
    }

    /** Dots become slashes, except the one before the number of a hidden class. */
    private static String slashes(String owner) {
        return separators(owner, '.', '/');
    }

    /** The inverse; names of other languages, where a dot stands for something else, stay. */
    private static String dots(String owner) {
        boolean javaLike = owner.indexOf('(') < 0 && slashes(owner).equals(owner);
        return javaLike ? separators(owner, '/', '.') : owner;
    }

    private static String separators(String owner, char from, char to) {
        if (owner.indexOf(from) < 0) {
            return owner;
        }
        char[] text = owner.toCharArray();
        for (int i = 0; i < text.length; i++) {
            boolean beforeNumber = i + 1 < text.length && Character.isDigit(text[i + 1]);
            if (text[i] == from && !beforeNumber) {
                text[i] = to;
            }
        }
        return new String(text);
    }

    /** The type that reports call by this label, or null. */
    static @Nullable ConsumerType typeOf(String label) {
        for (ConsumerType type : ConsumerType.values()) {
            if (type.label().equals(label)) {
                return type;
            }
        }
        return null;
    }
}
