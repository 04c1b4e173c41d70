package dev.heatline.model;

import java.util.List;
import java.util.regex.Pattern;

/**
 * Takes out of class names what the JVM or a library makes up anew in every run, so that equal code
 * has equal names in two profiles (001 §3.4.2, footnote 5).
 */
public final class GeneratedNames {

    private record Rule(Pattern pattern, String replacement) {}

    /** In this order: addresses of hidden classes first, they may follow any of the others. */
    private static final List<Rule> RULES =
            List.of(
                    rule("[/+.]0x[0-9a-fA-F]+(?:/\\d+)?", ""),
                    rule("(\\$\\$Lambda)(?:\\$\\d+)?(?:[/.]\\d+)?$", "$1"),
                    rule("\\bjdk\\.proxy\\d+\\.", "jdk.proxy."),
                    rule("(\\$Proxy)\\d+$", "$1"),
                    rule("(Generated(?:Serialization)?(?:Method|Constructor)Accessor)\\d+$", "$1"),
                    rule("(\\$\\$(?:EnhancerBy|FastClassBy|KeyFactoryBy)\\w+)\\$\\$\\w+$", "$1"),
                    rule("(\\$\\$SpringCGLIB)\\$\\$\\d+$", "$1"),
                    rule("(\\$(?:ByteBuddy|HibernateProxy|MockitoMock))\\$\\w+$", "$1"),
                    rule("(_\\$\\$_jvst)\\w+$", "$1"));

    /** What is in every name that a rule changes; most names have none, and are soon done with. */
    private static final List<String> SIGNS =
            List.of("0x", "$$", "$Proxy", "Generated", "$ByteBuddy$", "Proxy$", "$MockitoMock$");

    private GeneratedNames() {}

    private static Rule rule(String pattern, String replacement) {
        return new Rule(Pattern.compile(pattern), replacement);
    }

    /** The consumer under the name it would have in any run. */
    public static Consumer normalise(Consumer consumer) {
        if (!consumer.isMethod()) {
            return consumer;
        }
        String owner = normaliseClass(consumer.owner());
        return owner.equals(consumer.owner())
                ? consumer
                : Consumer.method(owner, consumer.name(), consumer.descriptor());
    }

    /** Asked for every consumer of every upload, so most names are done with after two looks. */
    private static boolean hasSign(String className) {
        if (className.indexOf('$') < 0 && className.indexOf("0x") < 0) {
            return className.contains("Generated");
        }
        for (String sign : SIGNS) {
            if (className.contains(sign)) {
                return true;
            }
        }
        return false;
    }

    /** The class name without what was made up for one run. */
    static String normaliseClass(String className) {
        if (!hasSign(className)) {
            return className;
        }
        String name = className;
        for (Rule rule : RULES) {
            name = rule.pattern().matcher(name).replaceAll(rule.replacement());
        }
        return name;
    }
}
